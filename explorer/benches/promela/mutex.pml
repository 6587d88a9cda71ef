/* Mutual exclusion by logical clocks for 3 processes: the states and steps of models/mutex.ioa. */
#define REQUEST 1
#define ACKNOWLEDGE 2
#define RELEASE 3

byte clock[3] = 1;
byte asked[9];
byte acked[3];
byte phase[3];
chan c01 = [8] of { byte, byte };
chan c02 = [8] of { byte, byte };
chan c10 = [8] of { byte, byte };
chan c12 = [8] of { byte, byte };
chan c20 = [8] of { byte, byte };
chan c21 = [8] of { byte, byte };

#define ASKED(i, j) asked[3 * i + j]
#define BEFORE(i, j) (ASKED(i, j) == 0 || ASKED(i, i) < ASKED(i, j) || (ASKED(i, i) == ASKED(i, j) && i < j))

/* A process, the two others, and the channels to these. */
#define PROCESS(i, j, k, toj, tok) \
  :: d_step { phase[i] == 0 && clock[i] < 4 -> \
       phase[i] = 1; ASKED(i, i) = clock[i]; acked[i] = 1 << i; toj!REQUEST, clock[i]; tok!REQUEST, clock[i] } \
  :: d_step { phase[i] == 1 && acked[i] == 7 && BEFORE(i, j) && BEFORE(i, k) -> phase[i] = 2 } \
  :: d_step { phase[i] == 2 -> \
       phase[i] = 0; clock[i] = clock[i] + 1; ASKED(i, i) = 0; acked[i] = 0; toj!RELEASE, 0; tok!RELEASE, 0 }

/* A process receives from another one. */
#define RECEIVE(i, j, from, to) \
  :: d_step { len(from) > 0 -> \
       from?kind, stamp; \
       if \
       :: kind == REQUEST -> \
            clock[i] = (clock[i] > stamp -> clock[i] : stamp) + 1; ASKED(i, j) = stamp; to!ACKNOWLEDGE, 0 \
       :: kind == ACKNOWLEDGE -> acked[i] = acked[i] | (1 << j) \
       :: else -> ASKED(i, j) = 0 \
       fi; \
       kind = 0; stamp = 0 }

active proctype System() {
  byte kind, stamp;
  do
  PROCESS(0, 1, 2, c01, c02)
  PROCESS(1, 0, 2, c10, c12)
  PROCESS(2, 0, 1, c20, c21)
  RECEIVE(0, 1, c10, c01)
  RECEIVE(0, 2, c20, c02)
  RECEIVE(1, 0, c01, c10)
  RECEIVE(1, 2, c21, c12)
  RECEIVE(2, 0, c02, c20)
  RECEIVE(2, 1, c12, c21)
  od
}

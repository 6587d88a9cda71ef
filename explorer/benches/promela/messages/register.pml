/* A register on four servers, written by two clients: the states and steps of models/messages/register.ioa. For each server and
 * client, a mask of the replies that there were: for each time, client that wrote (0 for none) and value. The updates and, for each
 * server, the acknowledgements are masks too. */
byte time[4], by[4], value[4], phase[2], want[2], mine[2];
int reply[8];
int updates;
byte acks[4];

#define REPLIES(s, c) reply[2 * s + c]
#define ANSWERED(s, c) (REPLIES(s, c) != 0)
#define TOLD(s, c, t) ((REPLIES(s, c) & (63 << (6 * t))) != 0)
#define TOLD_LATER(s, c, t) ((REPLIES(s, c) >> (6 * t + 6)) != 0)
#define ANY(P, c, t) (P(0, c, t) || P(1, c, t) || P(2, c, t) || P(3, c, t))
#define UPDATE(t, c, v) (1 << (4 * t + 2 * c + v))
#define ACK(t, c) (1 << (2 * t + c))
#define ACKED(s, c) ((acks[s] >> (2 * mine[c] + c)) & 1)

#define ANSWER(s, c) \
  :: d_step { phase[c] == 1 && !ANSWERED(s, c) -> REPLIES(s, c) = 1 << (6 * time[s] + 2 * by[s] + value[s]) }
#define STORE(c, t, after) \
  :: d_step { phase[c] == 1 && ANSWERED(0, c) + ANSWERED(1, c) + ANSWERED(2, c) + ANSWERED(3, c) > 2 && \
       ANY(TOLD, c, t) && !ANY(TOLD_LATER, c, t) -> \
       phase[c] = 2; mine[c] = after; updates = updates | UPDATE(after, c, want[c]) }
#define CLIENT(c) \
  :: d_step { phase[c] == 0 -> phase[c] = 1; want[c] = 0 } \
  :: d_step { phase[c] == 0 -> phase[c] = 1; want[c] = 1 } \
  ANSWER(0, c) ANSWER(1, c) ANSWER(2, c) ANSWER(3, c) \
  STORE(c, 0, 1) STORE(c, 1, 2) STORE(c, 2, 3) STORE(c, 3, 3) \
  :: d_step { phase[c] == 2 && ACKED(0, c) + ACKED(1, c) + ACKED(2, c) + ACKED(3, c) > 2 -> phase[c] = 3 }

#define APPLY(s, t, c, v) \
  :: d_step { (updates & UPDATE(t, c, v)) && !(acks[s] & ACK(t, c)) -> \
       acks[s] = acks[s] | ACK(t, c); \
       if \
       :: time[s] < t || (time[s] == t && by[s] != 0 && by[s] < c + 1) -> time[s] = t; by[s] = c + 1; value[s] = v \
       :: else \
       fi }
#define APPLIES(s, t) APPLY(s, t, 0, 0) APPLY(s, t, 0, 1) APPLY(s, t, 1, 0) APPLY(s, t, 1, 1)
#define SERVER(s) APPLIES(s, 1) APPLIES(s, 2) APPLIES(s, 3)

active proctype System() {
  do
  CLIENT(0)
  CLIENT(1)
  SERVER(0)
  SERVER(1)
  SERVER(2)
  SERVER(3)
  od
}

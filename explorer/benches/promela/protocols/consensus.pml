/* Consensus with a rotating coordinator, 3 nodes: states and steps of models/protocols/consensus.ioa. An estimate is stored as 1 + value + 3 * stamp. */
#define START 0
#define ASK 1
#define COLLECT 2
#define WAIT 3
#define COUNT 4
#define HALT 5
byte phase[3], round[3], value[3], stamp[3], decided[3];
byte est[9];      /* 3 * round + from */
byte prop[3], good[3], bad[3];
byte decision;
#define E(r, i) est[3*(r)+i]
#define NEXT(i) if :: round[i] == 2 -> phase[i] = HALT :: else -> phase[i] = ASK; round[i]++ fi
#define STAMP(e) ((e - 1) / 3)
#define NOTLATER(e, f) (e == 0 || STAMP(e) <= STAMP(f))
#define SIZE3(m) ((m & 1) + ((m >> 1) & 1) + ((m >> 2) & 1))
#define PROPOSE(i, j) :: d_step { phase[i] == COLLECT && E(i, j) != 0 && (E(i, 0) != 0) + (E(i, 1) != 0) + (E(i, 2) != 0) > 1 && \
   NOTLATER(E(i, 0), E(i, j)) && NOTLATER(E(i, 1), E(i, j)) && NOTLATER(E(i, 2), E(i, j)) -> \
   value[i] = (E(i, j) - 1) % 3; stamp[i] = i + 1; good[i] = good[i] | (1 << i); prop[i] = value[i] + 1; phase[i] = COUNT }
#define NODE(i) \
  :: d_step { phase[i] == START -> value[i] = 0; phase[i] = ASK } \
  :: d_step { phase[i] == START -> value[i] = 1; phase[i] = ASK } \
  :: d_step { phase[i] == START -> value[i] = 2; phase[i] = ASK } \
  :: d_step { phase[i] == ASK -> E(round[i], i) = 1 + value[i] + 3 * stamp[i]; \
     if :: round[i] == i -> phase[i] = COLLECT :: else -> phase[i] = WAIT fi } \
  PROPOSE(i, 0) PROPOSE(i, 1) PROPOSE(i, 2) \
  :: d_step { phase[i] == WAIT && prop[round[i]] != 0 -> value[i] = prop[round[i]] - 1; stamp[i] = round[i] + 1; \
     good[round[i]] = good[round[i]] | (1 << i); NEXT(i) } \
  :: d_step { phase[i] == WAIT -> bad[round[i]] = bad[round[i]] | (1 << i); NEXT(i) } \
  :: d_step { phase[i] == COUNT && SIZE3(good[i]) > 1 -> decision = decision | (1 << value[i]); NEXT(i) } \
  :: d_step { phase[i] == COUNT && bad[i] != 0 -> NEXT(i) } \
  :: d_step { decided[i] == 0 && (decision & 1) -> decided[i] = 1 } \
  :: d_step { decided[i] == 0 && (decision & 2) -> decided[i] = 2 } \
  :: d_step { decided[i] == 0 && (decision & 4) -> decided[i] = 3 }
active proctype System() {
  do
  NODE(0)
  NODE(1)
  NODE(2)
  od
}

/* The bully algorithm, 4 nodes: states and steps of models/protocols/bully.ioa. Kinds: 0 election, 1 answer, 2 victory; a leader is stored plus 1. */
#define DOWN 1
#define NORMAL 0
#define ELECTING 2
#define WAITING 3
byte phase[4], leader[4], crashes;
chan q0 = [2] of { byte, byte };
chan q1 = [2] of { byte, byte };
chan q2 = [2] of { byte, byte };
chan q3 = [2] of { byte, byte };
#define POST(j, q, k, i) if :: phase[j] != DOWN && len(q) < 2 -> q!k,i :: else fi
#define ASK0 POST(1, q1, 0, 0); POST(2, q2, 0, 0); POST(3, q3, 0, 0)
#define ASK1 POST(2, q2, 0, 1); POST(3, q3, 0, 1)
#define ASK2 POST(3, q3, 0, 2)
#define ASK3 skip
#define TELL0 skip
#define TELL1 POST(0, q0, 2, 1)
#define TELL2 POST(0, q0, 2, 2); POST(1, q1, 2, 2)
#define TELL3 POST(0, q0, 2, 3); POST(1, q1, 2, 3); POST(2, q2, 2, 3)
#define UP0 (phase[1] == DOWN && phase[2] == DOWN && phase[3] == DOWN)
#define UP1 (phase[2] == DOWN && phase[3] == DOWN)
#define UP2 (phase[3] == DOWN)
#define UP3 1
#define LOST(i) (leader[i] == 0 || phase[leader[i]-1] == DOWN)
#define NODE(i, q, ASKS, TELLS, UPS) \
  :: d_step { phase[i] == NORMAL && (leader[i] == 0 || phase[leader[i] - 1] == DOWN) -> phase[i] = ELECTING; leader[i] = 0; ASKS } \
  :: d_step { len(q) > 0 -> q?k,f; \
     if \
     :: k == 0 -> \
        if :: f == 0 -> POST(0, q0, 1, i) :: f == 1 -> POST(1, q1, 1, i) :: f == 2 -> POST(2, q2, 1, i) :: else -> POST(3, q3, 1, i) fi; \
        if :: phase[i] == NORMAL -> phase[i] = ELECTING; leader[i] = 0; ASKS :: else fi \
     :: k == 1 -> if :: phase[i] == ELECTING -> phase[i] = WAITING :: else fi \
     :: else -> leader[i] = f + 1; phase[i] = NORMAL \
     fi; k = 0; f = 0 } \
  :: d_step { phase[i] >= ELECTING && UPS -> leader[i] = i + 1; phase[i] = NORMAL; TELLS } \
  :: d_step { phase[i] != DOWN && crashes < 1 -> crashes++; phase[i] = DOWN; leader[i] = 0; \
     do :: len(q) > 0 -> q?k,f :: else -> break od; k = 0; f = 0 } \
  :: d_step { phase[i] == DOWN -> phase[i] = NORMAL }
active proctype System() {
  byte k, f;
  do
  NODE(0, q0, ASK0, TELL0, UP0)
  NODE(1, q1, ASK1, TELL1, UP1)
  NODE(2, q2, ASK2, TELL2, UP2)
  NODE(3, q3, ASK3, TELL3, UP3)
  od
}

/* A computation that spreads by messages among four nodes and detects that it has ended: the states and steps of
 * models/messages/diffusing.ioa. For each pair of nodes, how many messages of each kind there are; the root and a parent are
 * stored plus 1 where there may be none. */
byte root, awake, ended;
byte parent[4], owed[4], work[16], done[16];

#define AWAKE(i) ((awake >> i) & 1)
#define IDLE(i) (!AWAKE(i) && owed[i] == 0)
#define NODE(i) \
  :: d_step { root == 0 -> root = i + 1; awake = 1 << i } \
  :: d_step { AWAKE(i) -> awake = awake & (15 - (1 << i)) } \
  :: d_step { root == i + 1 && IDLE(i) && !ended -> ended = 1 }
#define PAIR(i, j) \
  :: d_step { AWAKE(i) && owed[i] < 2 -> owed[i] = owed[i] + 1; work[4 * i + j] = work[4 * i + j] + 1 } \
  :: d_step { done[4 * i + j] > 0 -> done[4 * i + j] = done[4 * i + j] - 1; owed[j] = owed[j] - 1 } \
  :: d_step { work[4 * i + j] > 0 -> \
       work[4 * i + j] = work[4 * i + j] - 1; \
       awake = awake | (1 << j); \
       if \
       :: parent[j] == 0 && root != j + 1 -> parent[j] = i + 1 \
       :: else -> done[4 * j + i] = done[4 * j + i] + 1 \
       fi } \
  :: d_step { IDLE(i) && parent[i] == j + 1 -> parent[i] = 0; done[4 * i + j] = done[4 * i + j] + 1 }
#define PAIRS(i, j, k, l) PAIR(i, j) PAIR(i, k) PAIR(i, l)

active proctype System() {
  do
  NODE(0)
  NODE(1)
  NODE(2)
  NODE(3)
  PAIRS(0, 1, 2, 3)
  PAIRS(1, 0, 2, 3)
  PAIRS(2, 0, 1, 3)
  PAIRS(3, 0, 1, 2)
  od
}

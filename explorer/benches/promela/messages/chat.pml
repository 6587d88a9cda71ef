/* Chat rooms: the states and steps of models/messages/chat.ioa with 3 users and 2 rooms. What is said in a room is a number: each line is a digit. */
byte open, place[3];
short said[2], seen[3];

#define IN(u) (place[u] - 1)
#define SAY(u, w) :: d_step { place[u] != 0 && said[IN(u)] < 7 -> said[IN(u)] = said[IN(u)] * 7 + 2 * u + w + 1 }
#define ENTER(u, r) :: d_step { ((open >> r) & 1) && place[u] == 0 -> place[u] = r + 1 }
#define USER(u) \
  ENTER(u, 0) ENTER(u, 1) SAY(u, 0) SAY(u, 1) \
  :: d_step { place[u] != 0 -> place[u] = 0; seen[u] = 0 } \
  :: d_step { place[u] != 0 && seen[u] != said[IN(u)] -> seen[u] = said[IN(u)] }
#define ROOM(r) \
  :: d_step { !((open >> r) & 1) -> open = open | (1 << r) } \
  :: d_step { ((open >> r) & 1) && place[0] != r + 1 && place[1] != r + 1 && place[2] != r + 1 -> open = open - (1 << r); said[r] = 0 }

active proctype System() {
  do
  USER(0)
  USER(1)
  USER(2)
  ROOM(0)
  ROOM(1)
  od
}

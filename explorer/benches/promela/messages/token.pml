/* A token among four nodes: the states and steps of models/messages/token.ioa. A message has its kind (1 for the token) and its number, and
 * of the token a mask of the nodes that were served and its queue, each node counted from 1. Unused places are 0. */
bit begun;
byte known[16];
byte asking, inside, holder, served, q[3];
chan c01 = [3] of { byte, byte, byte, byte, byte };
chan c02 = [3] of { byte, byte, byte, byte, byte };
chan c03 = [3] of { byte, byte, byte, byte, byte };
chan c10 = [3] of { byte, byte, byte, byte, byte };
chan c12 = [3] of { byte, byte, byte, byte, byte };
chan c13 = [3] of { byte, byte, byte, byte, byte };
chan c20 = [3] of { byte, byte, byte, byte, byte };
chan c21 = [3] of { byte, byte, byte, byte, byte };
chan c23 = [3] of { byte, byte, byte, byte, byte };
chan c30 = [3] of { byte, byte, byte, byte, byte };
chan c31 = [3] of { byte, byte, byte, byte, byte };
chan c32 = [3] of { byte, byte, byte, byte, byte };

#define IN(set, i) ((set >> i) & 1)
#define WITHOUT(set, i) set & (15 - (1 << i))
#define KNOWN(i, j) known[4 * i + j]
#define CLEAR m = 0; n = 0; x = 0; y = 0; z = 0

#define TAKE(i, j, ch) \
  :: d_step { len(ch) > 0 -> ch?m,n,x,y,z; \
       if \
       :: m == 0 -> if :: KNOWN(j, i) < n -> KNOWN(j, i) = n :: else fi \
       :: else -> served = n; q[0] = x; q[1] = y; q[2] = z; holder = j + 1 \
       fi; CLEAR }
#define LINE(i, j) \
  :: d_step { holder == i + 1 && !IN(inside, i) && KNOWN(i, j) == IN(served, j) + 1 && q[0] != j + 1 && q[1] != j + 1 && q[2] != j + 1 -> \
       if :: q[0] == 0 -> q[0] = j + 1 :: q[0] != 0 && q[1] == 0 -> q[1] = j + 1 :: else -> q[2] = j + 1 fi }
#define HAND(i, j, ch) \
  :: d_step { holder == i + 1 && !IN(inside, i) && !IN(asking, i) && q[0] == j + 1 -> \
       ch!1,served,q[1],q[2],0; holder = 0; served = 0; q[0] = 0; q[1] = 0; q[2] = 0 }
#define OTHER(i, j, ch) TAKE(i, j, ch) LINE(i, j) HAND(i, j, ch)
#define NODE(i, j, ij, k, ik, l, il) \
  :: d_step { !begun -> begun = 1; holder = i + 1 } \
  :: d_step { begun && !IN(asking, i) && !IN(inside, i) && KNOWN(i, i) < 1 -> \
       asking = asking | (1 << i); KNOWN(i, i) = 1; \
       if :: holder != i + 1 -> ij!0,1,0,0,0; ik!0,1,0,0,0; il!0,1,0,0,0 :: else fi } \
  :: d_step { IN(asking, i) && holder == i + 1 -> asking = WITHOUT(asking, i); inside = inside | (1 << i) } \
  :: d_step { IN(inside, i) -> inside = WITHOUT(inside, i); if :: KNOWN(i, i) > 0 -> served = served | (1 << i) :: else fi } \
  OTHER(i, j, ij) OTHER(i, k, ik) OTHER(i, l, il)

active proctype System() {
  byte m, n, x, y, z;
  do
  NODE(0, 1, c01, 2, c02, 3, c03)
  NODE(1, 0, c10, 2, c12, 3, c13)
  NODE(2, 0, c20, 1, c21, 3, c23)
  NODE(3, 0, c30, 1, c31, 2, c32)
  od
}

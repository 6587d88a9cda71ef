/* Three nodes that tell each other what they know: the states and steps of models/messages/gossip.ioa. */
byte a[3], b[3], c[3];
chan ab = [1] of { byte, byte, byte };
chan ac = [1] of { byte, byte, byte };
chan ba = [1] of { byte, byte, byte };
chan bc = [1] of { byte, byte, byte };
chan ca = [1] of { byte, byte, byte };
chan cb = [1] of { byte, byte, byte };

#define LEARN(v, i, m) if :: v[i] < m -> v[i] = m :: else fi
#define LINK(from, to, ch) \
  :: d_step { len(ch) < 1 -> ch!from[0],from[1],from[2] } \
  :: d_step { len(ch) > 0 -> ch?x,y,z; LEARN(to, 0, x); LEARN(to, 1, y); LEARN(to, 2, z); x = 0; y = 0; z = 0 }

active proctype System() {
  byte x, y, z;
  do
  :: d_step { a[0] < 1 -> a[0]++ }
  :: d_step { b[1] < 1 -> b[1]++ }
  :: d_step { c[2] < 1 -> c[2]++ }
  LINK(a, b, ab)
  LINK(a, c, ac)
  LINK(b, a, ba)
  LINK(b, c, bc)
  LINK(c, a, ca)
  LINK(c, b, cb)
  od
}

/* Flow control by credits, 3 nodes: states and steps of models/protocols/credits.ioa. */
bit on[9];
byte credit[9], unpaid[9];
chan d01 = [1] of { byte };
chan d02 = [1] of { byte };
chan d10 = [1] of { byte };
chan d12 = [1] of { byte };
chan d20 = [1] of { byte };
chan d21 = [1] of { byte };
chan i0 = [2] of { byte, byte };
chan i1 = [2] of { byte, byte };
chan i2 = [2] of { byte, byte };
#define P(i, j) (3*i+j)
#define STREAM(i, j, d, inbox) \
  :: d_step { !on[P(i, j)] -> on[P(i, j)] = 1; credit[P(i, j)] = 1 } \
  :: d_step { on[P(i, j)] && credit[P(i, j)] == 1 -> on[P(i, j)] = 0; credit[P(i, j)] = 0 } \
  :: d_step { credit[P(i, j)] > 0 -> credit[P(i, j)]--; d!0 } \
  :: d_step { credit[P(i, j)] > 0 -> credit[P(i, j)]--; d!1 } \
  :: d_step { credit[P(i, j)] > 0 -> credit[P(i, j)]--; d!2 } \
  :: d_step { len(d) > 0 && len(inbox) < 2 -> d?x; inbox!i,x; x = 0 } \
  :: d_step { unpaid[P(i, j)] > 0 -> credit[P(i, j)] = credit[P(i, j)] + unpaid[P(i, j)]; unpaid[P(i, j)] = 0 }
#define CONSUME(j, inbox) :: d_step { len(inbox) > 0 -> inbox?f,x; unpaid[3*f+j]++; f = 0; x = 0 }
active proctype System() {
  byte f, x;
  do
  STREAM(0, 1, d01, i1)
  STREAM(0, 2, d02, i2)
  STREAM(1, 0, d10, i0)
  STREAM(1, 2, d12, i2)
  STREAM(2, 0, d20, i0)
  STREAM(2, 1, d21, i1)
  CONSUME(0, i0)
  CONSUME(1, i1)
  CONSUME(2, i2)
  od
}

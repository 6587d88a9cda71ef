/* Leader election on a ring of 7 nodes: the states and steps of models/lcr.ioa. */
byte started, leader;
chan c0 = [7] of { byte };
chan c1 = [7] of { byte };
chan c2 = [7] of { byte };
chan c3 = [7] of { byte };
chan c4 = [7] of { byte };
chan c5 = [7] of { byte };
chan c6 = [7] of { byte };

#define NODE(i, own, next) \
  :: d_step { !((started >> i) & 1) -> started = started | (1 << i); next!i } \
  :: d_step { len(own) > 0 && !(own?[i]) -> own?m; if :: i < m -> next!m :: else fi; m = 0 } \
  :: d_step { own?[i] -> own?m; leader = leader | (1 << i); m = 0 }

active proctype System() {
  byte m;
  do
  NODE(0, c0, c1)
  NODE(1, c1, c2)
  NODE(2, c2, c3)
  NODE(3, c3, c4)
  NODE(4, c4, c5)
  NODE(5, c5, c6)
  NODE(6, c6, c0)
  od
}

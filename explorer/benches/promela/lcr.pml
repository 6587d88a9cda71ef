/* Leader election on a ring of N nodes, 7 or 10: the states and steps of models/lcr.ioa. */
short started, leader;
chan c0 = [N] of { byte };
chan c1 = [N] of { byte };
chan c2 = [N] of { byte };
chan c3 = [N] of { byte };
chan c4 = [N] of { byte };
chan c5 = [N] of { byte };
chan c6 = [N] of { byte };
#if N == 10
chan c7 = [N] of { byte };
chan c8 = [N] of { byte };
chan c9 = [N] of { byte };
#endif

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
#if N == 10
  NODE(6, c6, c7)
  NODE(7, c7, c8)
  NODE(8, c8, c9)
  NODE(9, c9, c0)
#else
  NODE(6, c6, c0)
#endif
  od
}

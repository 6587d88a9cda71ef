/* Causal broadcast among 3 nodes, K messages each: states and steps of models/protocols/causal.ioa. Message n of node i is number K*i+n; its clock is kept
 * until all have delivered it. */
#ifndef K
#define K 2
#endif
byte clock[9];
byte stamp[18];   /* 3 * message + node */
byte net[3], wait[3];
#define C(i, k) clock[3*i+k]
#define M(i, n) (2*i+n)
#define BIT(i, n) (1 << M(i, n))
#define T(i, n, k) stamp[3*M(i, n)+k]
#define BROADCAST(i, n, j, l) :: d_step { C(i, i) == n && n < K -> C(i, i) = n + 1; \
   T(i, n, 0) = C(i, 0); T(i, n, 1) = C(i, 1); T(i, n, 2) = C(i, 2); \
   net[j] = net[j] | BIT(i, n); net[l] = net[l] | BIT(i, n) }
/* j receives from i; l is the third */
#define RECEIVE(i, n, j) :: d_step { net[j] & BIT(i, n) -> net[j] = net[j] & ~BIT(i, n); wait[j] = wait[j] | BIT(i, n) }
#define DELIVER(i, n, j, l) :: d_step { (wait[j] & BIT(i, n)) && C(j, i) == n && T(i, n, j) <= C(j, j) && T(i, n, l) <= C(j, l) -> \
   wait[j] = wait[j] & ~BIT(i, n); C(j, i) = n + 1; \
   if :: !((net[l] | wait[l]) & BIT(i, n)) -> T(i, n, 0) = 0; T(i, n, 1) = 0; T(i, n, 2) = 0 :: else fi }
#define PAIR(i, j, l) RECEIVE(i, 0, j) RECEIVE(i, 1, j) DELIVER(i, 0, j, l) DELIVER(i, 1, j, l)
active proctype System() {
  do
  BROADCAST(0, 0, 1, 2) BROADCAST(0, 1, 1, 2)
  BROADCAST(1, 0, 0, 2) BROADCAST(1, 1, 0, 2)
  BROADCAST(2, 0, 0, 1) BROADCAST(2, 1, 0, 1)
  PAIR(0, 1, 2) PAIR(0, 2, 1) PAIR(1, 0, 2) PAIR(1, 2, 0) PAIR(2, 0, 1) PAIR(2, 1, 0)
  od
}

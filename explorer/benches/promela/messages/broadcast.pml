/* Reliable broadcast among three nodes: the states and steps of models/messages/broadcast.ioa. Messages are bits of masks. */
int sent, received[3];
byte accepted[3];
bit proposed;

#define M(k, j, v) (1 << (6 * k + 2 * j + v))
#define HAS(i, k, j, v) ((received[i] >> (6 * k + 2 * j + v)) & 1)
#define MANY(i, k, v) (HAS(i, k, 0, v) + HAS(i, k, 1, v) + HAS(i, k, 2, v) > 1)
#define SAID(i, k) ((sent & (M(k, i, 0) | M(k, i, 1))) != 0)
#define PROPOSE(i, v) :: d_step { !proposed -> proposed = 1; sent = sent | M(0, i, v) }
#define DELIVER(i, k, j, v) :: d_step { (sent & M(k, j, v)) != 0 && !HAS(i, k, j, v) -> received[i] = received[i] | M(k, j, v) }
#define DELIVERS(i, k) DELIVER(i, k, 0, 0) DELIVER(i, k, 0, 1) DELIVER(i, k, 1, 0) DELIVER(i, k, 1, 1) DELIVER(i, k, 2, 0) DELIVER(i, k, 2, 1)
#define ECHO(i, j, v) :: d_step { HAS(i, 0, j, v) && !SAID(i, 1) -> sent = sent | M(1, i, v) }
#define READY(i, v) :: d_step { (MANY(i, 1, v) || MANY(i, 2, v)) && !SAID(i, 2) -> sent = sent | M(2, i, v) }
#define ACCEPT(i, v) :: d_step { accepted[i] == 0 && MANY(i, 2, v) -> accepted[i] = v + 1 }
#define NODE(i) \
  PROPOSE(i, 0) PROPOSE(i, 1) DELIVERS(i, 0) DELIVERS(i, 1) DELIVERS(i, 2) \
  ECHO(i, 0, 0) ECHO(i, 0, 1) ECHO(i, 1, 0) ECHO(i, 1, 1) ECHO(i, 2, 0) ECHO(i, 2, 1) \
  READY(i, 0) READY(i, 1) ACCEPT(i, 0) ACCEPT(i, 1)

active proctype System() {
  do
  NODE(0)
  NODE(1)
  NODE(2)
  od
}

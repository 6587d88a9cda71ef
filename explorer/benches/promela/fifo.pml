/* A channel of at most 5 messages out of 18: the states and steps of models/fifo.ioa. A message is its code. */
chan q = [5] of { byte };

#define SEND(m) :: d_step { len(q) < 5 -> q!m }

active proctype System() {
  byte m;
  do
  SEND(0)
  SEND(1)
  SEND(2)
  SEND(3)
  SEND(4)
  SEND(5)
  SEND(6)
  SEND(7)
  SEND(8)
  SEND(9)
  SEND(10)
  SEND(11)
  SEND(12)
  SEND(13)
  SEND(14)
  SEND(15)
  SEND(16)
  SEND(17)
  :: d_step { len(q) > 0 -> q?m; m = 0 }
  od
}

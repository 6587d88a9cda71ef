/* Parts with serial numbers: the states and steps of models/serials.ioa, where a number is the place that it belongs to. */
int stored;
byte marked, place;

#define TAKE(n) :: d_step { stored & (1 << n) -> stored = stored & ~(1 << n) }

active proctype System() {
  do
  :: d_step { true -> place = place }
  :: d_step { true -> place = (place + 1) % 14 }
  :: d_step { true -> place = (place + 2) % 14 }
  :: d_step { !(stored & (1 << place)) -> stored = stored | (1 << place) }
  TAKE(0)
  TAKE(1)
  TAKE(2)
  TAKE(3)
  TAKE(4)
  TAKE(5)
  TAKE(6)
  TAKE(7)
  TAKE(8)
  TAKE(9)
  TAKE(10)
  TAKE(11)
  TAKE(12)
  TAKE(13)
  :: d_step { place < 3 && !(marked & (1 << place)) -> marked = marked | (1 << place) }
  od
}

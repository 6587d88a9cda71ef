/* Ten philosophers around a table: the states and steps of models/philosophers.ioa. */
byte phase[10];
bit taken[10];

#define PHILOSOPHER(p, next) \
  :: d_step { phase[p] == 0 -> phase[p] = 1 } \
  :: d_step { phase[p] == 1 && !taken[p] -> phase[p] = 2; taken[p] = 1 } \
  :: d_step { phase[p] == 2 && !taken[next] -> phase[p] = 3; taken[next] = 1 } \
  :: d_step { phase[p] == 3 -> phase[p] = 4; taken[p] = 0 } \
  :: d_step { phase[p] == 4 -> phase[p] = 0; taken[next] = 0 }

active proctype System() {
  do
  PHILOSOPHER(0, 1)
  PHILOSOPHER(1, 2)
  PHILOSOPHER(2, 3)
  PHILOSOPHER(3, 4)
  PHILOSOPHER(4, 5)
  PHILOSOPHER(5, 6)
  PHILOSOPHER(6, 7)
  PHILOSOPHER(7, 8)
  PHILOSOPHER(8, 9)
  PHILOSOPHER(9, 0)
  od
}

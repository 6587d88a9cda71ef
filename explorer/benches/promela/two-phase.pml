/* Two-phase commit with N resource managers: the states and steps of case-studies/two-phase-commit/two-phase.ioa.
 *
 * Sets of resource managers are masks. A resource manager that is in none of prepared, committed and aborted is
 * working. Each step is deterministic and stands alone, so that the only stored states are those between steps.
 */
#ifndef N
#define N 7
#endif
#define ALL ((1 << N) - 1)

unsigned prepared : N;
unsigned committed : N;
unsigned aborted : N;
unsigned tmPrepared : N;
unsigned sentPrepared : N;
bit done, sentCommit, sentAbort;

#define IN(r, set)  ((set >> r) & 1)
#define WORKING(r)  (!IN(r, (prepared | committed | aborted)))
#define WITH(r, set)    set = set | (1 << r)
#define WITHOUT(r, set) set = set & (ALL - (1 << r))

#define MANAGER(r) \
  :: d_step { WORKING(r) -> WITH(r, prepared); WITH(r, sentPrepared) } \
  :: d_step { !done && IN(r, sentPrepared) -> WITH(r, tmPrepared) } \
  :: d_step { sentCommit -> WITH(r, committed); WITHOUT(r, prepared); WITHOUT(r, aborted) } \
  :: d_step { sentAbort -> WITH(r, aborted); WITHOUT(r, prepared); WITHOUT(r, committed) } \
  :: d_step { WORKING(r) -> WITH(r, aborted) }

active proctype System() {
  do
  :: d_step { !done && tmPrepared == ALL -> done = 1; sentCommit = 1 }
  :: d_step { !done -> done = 1; sentAbort = 1 }
  MANAGER(0)
  MANAGER(1)
  MANAGER(2)
#if N > 3
  MANAGER(3)
#endif
#if N > 4
  MANAGER(4)
#endif
#if N > 5
  MANAGER(5)
#endif
#if N > 6
  MANAGER(6)
#endif
#if N > 7
  MANAGER(7)
#endif
#if N > 8
  MANAGER(8)
#endif
  od
}

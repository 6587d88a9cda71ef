/* Snapshot isolation, as in models/protocols/versions.ioa. */
byte clock, n[2]=1, vt[8], vv[8]; /* 4*key+position */
byte phase[3], started[3], writes[6], reads[3];
#define START(t) :: d_step { phase[t]==0 -> phase[t]=1; started[t]=clock }
#define WRITE(t,k,v) :: d_step { phase[t]==1 && writes[2*t+k]==0 -> writes[2*t+k]=v }
#define READ(t,k) :: d_step { phase[t]==1 -> i=n[k]-1; do :: vt[4*k+i]>started[t] -> i-- :: else -> break od; \
   reads[t]=reads[t]|(1<<(2*vt[4*k+i]+vv[4*k+i])); i=0 }
#define OK(t,k) (writes[2*t+k]==0 || vt[4*k+n[k]-1]<=started[t])
#define PUT(t,k) if :: writes[2*t+k]!=0 -> vt[4*k+n[k]]=clock; vv[4*k+n[k]]=writes[2*t+k]-1; n[k]++; writes[2*t+k]=0 :: else fi
#define COMMIT(t) :: d_step { phase[t]==1 && OK(t,0) && OK(t,1) -> clock++; PUT(t,0); PUT(t,1); phase[t]=2 }
#define ABORT(t) :: d_step { phase[t]==1 -> phase[t]=3; writes[2*t]=0; writes[2*t+1]=0 }
#define T(t) START(t) WRITE(t,0,1) WRITE(t,0,2) WRITE(t,1,1) WRITE(t,1,2) READ(t,0) READ(t,1) COMMIT(t) ABORT(t)
active proctype System() { byte i; do
 T(0) T(1) T(2)
 od }

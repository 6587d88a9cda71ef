/* Viewstamped replication, as in models/protocols/viewstamped.ioa: a set of messages is an array of what was sent by its fields. */
byte view[3], lastn[3], log[3], com[3]; bit abnormal[3];
byte prep[6];    /* 2*view+number: 0 none, 1+op */
byte okm[6];     /* 2*view+number-1: mask of from */
byte start[3];   /* by view: mask of from */
byte change[9];  /* 3*view+from: 0 none, 1+7*last+log */
byte beg[3];     /* by view: 0 none, 1+log */
#define LEN(l) ((l)==0 -> 0 : ((l)<3 -> 1 : 2))
#define PRIMARY(r) (view[r]==r)
#define REQUEST(r,o) :: d_step { !abnormal[r] && PRIMARY(r) && log[r]<3 -> prep[2*view[r]+LEN(log[r])]=1+o; log[r]=log[r]*2+1+o }
#define PREPARED(r) :: d_step { !abnormal[r] && !PRIMARY(r) && log[r]<3 && prep[2*view[r]+LEN(log[r])]!=0 -> \
   log[r]=log[r]*2+prep[2*view[r]+LEN(log[r])]; okm[2*view[r]+LEN(log[r])-1]=okm[2*view[r]+LEN(log[r])-1]|(1<<r) }
#define COMMIT(r) :: d_step { !abnormal[r] && PRIMARY(r) && com[r]<LEN(log[r]) && (okm[2*view[r]+com[r]]&(7-(1<<r)))!=0 -> com[r]++ }
#define SUSPECT(r) :: d_step { view[r]<2 -> view[r]++; abnormal[r]=1; start[view[r]]=start[view[r]]|(1<<r) }
#define FOLLOW(r,v,f) :: d_step { view[r]<v && ((start[v]>>f)&1) -> view[r]=v; abnormal[r]=1; start[v]=start[v]|(1<<r) }
#define FOLLOWS(r) FOLLOW(r,1,0) FOLLOW(r,1,1) FOLLOW(r,1,2) FOLLOW(r,2,0) FOLLOW(r,2,1) FOLLOW(r,2,2)
#define VOTE(r) :: d_step { abnormal[r] && change[3*view[r]+r]==0 && (start[view[r]]&(7-(1<<r)))!=0 -> change[3*view[r]+r]=1+7*lastn[r]+log[r] }
#define LAST(c) ((c-1)/7)
#define LOG(c) ((c-1)%7)
#define LEAD(r,a,b) :: d_step { abnormal[r] && PRIMARY(r) && change[3*r+a]!=0 && change[3*r+b]!=0 && \
   (LAST(change[3*r+a])>LAST(change[3*r+b]) || (LAST(change[3*r+a])==LAST(change[3*r+b]) && LEN(LOG(change[3*r+a]))>=LEN(LOG(change[3*r+b])))) -> \
   log[r]=LOG(change[3*r+a]); abnormal[r]=0; lastn[r]=view[r]; beg[view[r]]=1+log[r] }
#define LEADS(r) LEAD(r,0,1) LEAD(r,0,2) LEAD(r,1,0) LEAD(r,1,2) LEAD(r,2,0) LEAD(r,2,1)
#define ADOPT(r,v) :: d_step { r!=v && beg[v]!=0 && (v>view[r] || (v==view[r] && abnormal[r])) -> view[r]=v; log[r]=beg[v]-1; abnormal[r]=0; lastn[r]=v; \
   if :: log[r]!=0 -> okm[2*v+LEN(log[r])-1]=okm[2*v+LEN(log[r])-1]|(1<<r) :: else fi }
#define REPLICA(r) REQUEST(r,0) REQUEST(r,1) PREPARED(r) COMMIT(r) SUSPECT(r) FOLLOWS(r) VOTE(r) LEADS(r) ADOPT(r,1) ADOPT(r,2)
active proctype System() { do
 REPLICA(0) REPLICA(1) REPLICA(2)
 od }

/* Paxos for two slots, as in models/protocols/multipaxos.ioa: the promises of an acceptor in a ballot are one set of votes. */
/* vote = 4*ballot+2*slot+value; promised: 0 none, 1 low, 2 high; pr[3*ballot+a]: 0 none, 256+votes */
#ifndef N
#define N 3
#endif
byte promised[3], votes[3], prep, acc, chosen[2]; short pr[6];
#define PREP(b) :: d_step { !((prep>>b)&1) -> prep=prep|(1<<b) }
#define PROM(a,b) :: d_step { ((prep>>b)&1) && promised[a]<b+1 -> promised[a]=b+1; pr[3*b+a]=256+votes[a] }
#define GAVE(b) ((pr[3*b]!=0)+(pr[3*b+1]!=0)+(pr[3*b+2]!=0)>=2)
#define OTHER(s,v) (1<<(2*s+1-v) | 1<<(4+2*s+1-v))
#define PROPOSE(b,s,v) :: d_step { GAVE(b) && (b==0 || ((pr[3]|pr[4]|pr[5])&OTHER(s,v))==0) && ((acc>>(4*b+2*s))&3)==0 -> acc=acc|(1<<(4*b+2*s+v)) }
#define VOTE(a,b,s,v) :: d_step { ((acc>>(4*b+2*s+v))&1) && (promised[a]==0 || promised[a]==b+1 || b==1) && !((votes[a]>>(4*b+2*s+v))&1) -> promised[a]=b+1; votes[a]=votes[a]|(1<<(4*b+2*s+v)) }
#define CNT(k) (((votes[0]>>(k))&1)+((votes[1]>>(k))&1)+((votes[2]>>(k))&1)>=2)
#define LEARN(s,v) :: d_step { chosen[s]==0 && (CNT(2*s+v)||CNT(4+2*s+v)) -> chosen[s]=v+1 }
#define A(a) PROM(a,0) PROM(a,1) VOTE(a,0,0,0) VOTE(a,0,0,1) VOTE(a,0,1,0) VOTE(a,0,1,1) VOTE(a,1,0,0) VOTE(a,1,0,1) VOTE(a,1,1,0) VOTE(a,1,1,1)
active proctype System() { do
 PREP(0) PREP(1) PROPOSE(0,0,0) PROPOSE(0,0,1) PROPOSE(0,1,0) PROPOSE(0,1,1) PROPOSE(1,0,0) PROPOSE(1,0,1) PROPOSE(1,1,0) PROPOSE(1,1,1)
 LEARN(0,0) LEARN(0,1) LEARN(1,0) LEARN(1,1)
 A(0) A(1)
#if N>2
 A(2)
#endif
 od }

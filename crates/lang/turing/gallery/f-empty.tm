# The function that has no values: ones are added at both ends for ever.
machine f-empty
<1,1,R,1> <1,B,W(1),2> <2,1,L,2> <2,B,W(1),1>

check diverges on 0
check diverges on 50
check on every number: diverges on every 1+

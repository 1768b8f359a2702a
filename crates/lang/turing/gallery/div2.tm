# Half of an even number; on odd numbers the machine runs for ever.
# Number n is n + 1 ones, the head on the first; the result is the number of ones at the end.
machine div2
blank B
start 1
<1,1,W(B),1> <1,B,R,2> <2,1,R,3> <3,B,R,3> <3,1,W(B),4> <4,B,R,2>

check halts on 8 with 4 ones after 14 steps in state 2
check halts on 0 with 0 ones after 2 steps
check diverges on 7
check half: computes f(n) = n / 2 if n % 2 == 0 up to 20
check every number: computes f(n) = n / 2 if n % 2 == 0
check all odd numbers: diverges on every 11(11)*

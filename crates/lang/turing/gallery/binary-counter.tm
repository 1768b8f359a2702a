# It counts in binary for ever: digits grow to the left, the head comes back to the end.
machine counter
blank B
start inc
<inc,0,1,R,back> <inc,1,0,L,inc> <inc,B,1,R,back>
<back,0,0,R,back> <back,1,1,R,back> <back,B,B,L,inc>
check diverges on blank
check diverges on tape [0]

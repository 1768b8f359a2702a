# It carries ones from one end to the other, one at a time, and begins anew with two more.
machine rounds
1RB0LD_1LC1RB_---1LA_0RB1LD
check diverges on blank

# It goes to and fro between two ends that move apart.
machine bouncer
1RB1LA_1LA1RB
check diverges on blank

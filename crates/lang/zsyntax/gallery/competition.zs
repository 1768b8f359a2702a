# Two reactions compete for one molecule: the result depends on the order.
start A & B & C
A * B -> X
A * C -> Y
can X
can Y
never X & Y
one end

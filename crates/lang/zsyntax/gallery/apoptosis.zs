# A fragment of apoptosis: the death receptor turns on caspase 8, which turns on caspase 3 by
# itself and through mitochondria; XIAP holds caspase 3 back until Smac takes it away (as in
# Alberts and others, Molecular Biology of the Cell, chapter 18; reactions simplified).
pathway apoptosis
start FasL & Fas & FADD & Pro8 & Bid & Bax & Mito & Apaf & Pro9 & Pro3 & XIAP
ligand: FasL * Fas -> Fas*FasL
adaptor: Fas*FasL*FADD -> DISC
initiate: DISC & Pro8 -> DISC & C8
cut: C8 & Bid -> C8 & tBid
pore: tBid & Bax & Mito -> Pore
release: Pore -> CytC & Smac
apoptosome: CytC & Apaf & Pro9 -> C9
execute8: C8 & Pro3 -> C8 & C3
execute9: C9 & Pro3 -> C9 & C3
inhibit: C3 * XIAP -> C3*XIAP
rescue: (C3*XIAP) * Smac -> C3 & Smac*XIAP
neutral: Smac * XIAP -> Smac*XIAP
can C3
can free: C3 & Smac*XIAP
never C3 & C3*XIAP
always caspase: Pro3 + C3 + C3*XIAP = 1
one end

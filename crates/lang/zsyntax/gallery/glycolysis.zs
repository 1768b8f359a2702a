# Glycolysis up to fructose-1,6-bisphosphate, as deduced by Ahmad, Hasan, Siddique and Tahar
# (SBMF 2014). Two units of ATP are needed.
pathway glycolysis
start Glc & HK & GPI & PFK & 2 ATP
Glc * HK -> HK*Glc
HK*Glc*ATP -> HK & G6P & ADP
G6P * GPI -> F6P & GPI
F6P * PFK -> PFK*F6P
PFK*F6P*ATP -> PFK & F16P & ADP
can F16P
can end: exactly HK & GPI & PFK & F16P & 2 ADP
never 2 F16P
always HK + HK*Glc = 1
always energy: ATP + ADP = 2
one end

# Glycolysis whole: ten steps from glucose to pyruvate (Embden, Meyerhof and Parnas; as in Berg,
# Tymoczko and Stryer, Biochemistry, chapter 16). Enzymes are catalysts; two ATP are spent and
# four are made.
pathway "whole glycolysis"
start Glc & 2 ATP & 2 ADP & 2 Pi & 2 NAD
hexokinase: Glc & ATP -> G6P & ADP
isomerase: G6P -> F6P
phosphofructokinase: F6P & ATP -> F16P & ADP
aldolase: F16P -> DHAP & GAP
triosephosphate: DHAP -> GAP
dehydrogenase: GAP & Pi & NAD -> 13BPG & NADH
phosphoglycerate: 13BPG & ADP -> 3PG & ATP
mutase: 3PG -> 2PG
enolase: 2PG -> PEP & H2O
pyruvate: PEP & ADP -> Pyr & ATP
can 2 Pyr
can gain: exactly 2 Pyr & 4 ATP & 2 NADH & 2 H2O
never 5 ATP
never 3 Pyr
always carbon: 6 Glc + 6 G6P + 6 F6P + 6 F16P + 3 DHAP + 3 GAP + 3 13BPG + 3 3PG + 3 2PG + 3 PEP + 3 Pyr = 6
always energy: ATP + ADP = 4
one end

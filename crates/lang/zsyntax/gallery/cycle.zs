# The tricarboxylic acid cycle (Krebs and Johnson, 1937; as in Berg, Tymoczko and Stryer,
# Biochemistry, chapter 17). Oxaloacetate comes back: one molecule serves any amount of acetyl.
pathway "TCA cycle"
start any AcCoA & any NAD & any FAD & any GDP & any Pi & any H2O & OAA
citrate: OAA & AcCoA & H2O -> Cit & CoA
aconitase: Cit -> Iso
isocitrate: Iso & NAD -> AKG & NADH & CO2
ketoglutarate: AKG & NAD & CoA -> SucCoA & NADH & CO2
succinyl: SucCoA & GDP & Pi -> Suc & GTP & CoA
succinate: Suc & FAD -> Fum & FADH2
fumarase: Fum & H2O -> Mal
malate: Mal & NAD -> OAA & NADH
can 3 NADH & FADH2 & GTP & 2 CO2
can twice: 6 NADH & 2 FADH2 & 2 GTP & 4 CO2
never 2 OAA
never OAA & Cit
always carrier: OAA + Cit + Iso + AKG + SucCoA + Suc + Fum + Mal = 1

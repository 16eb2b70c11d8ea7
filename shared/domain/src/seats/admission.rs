//! Admission: which ticket lets somebody in.

use std::time::Duration;

use uuid::Uuid;

use crate::gate::{Gate, milliseconds};

/// Number of admissions of a ticket that are remembered, so that a repetition of their scans is recognized.
pub const MAX_REMEMBERED: usize = 3;

/// Hash of the id of a scan, which a gate repeats if it got no response.
pub type ScanHash = [u8; 8];

/// Admission of a ticket by a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Admission {
    /// Time since 1970, in milliseconds.
    pub at: u64,
    /// Number of the gate.
    pub gate: u16,
    /// Scan that admitted it, if it has an id.
    pub scan: Option<ScanHash>,
}

/// Sold seat, and the admissions of its ticket.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SoldSeat {
    /// The confirmed hold.
    pub hold: Uuid,
    /// True if the last admission counts. Otherwise it was taken back, or there is none.
    pub is_admitted: bool,
    /// The last admissions that are remembered, the newest last.
    pub admissions: Vec<Admission>,
}

/// Scan of the ticket of a hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scan {
    /// The hold in the ticket.
    pub hold: Uuid,
    /// Id of the scan.
    pub id: Option<ScanHash>,
    /// Time at which the gate scanned it, in milliseconds since 1970; the clock of a phone may be wrong.
    pub at: Option<u64>,
}

/// Decision about a scan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The person is let in, and the seat becomes this one.
    Admit(SoldSeat, Admission),
    /// The person was let in by this scan before.
    Repeat(Admission),
    /// The ticket was admitted before.
    Reject(Admission),
    /// The seat is not sold to the hold of the ticket.
    NotSold,
}

/// Decides whether the ticket of a scan lets somebody in through a gate with a number, at a time since 1970.
#[must_use]
pub fn admit(seat: Option<&SoldSeat>, scan: &Scan, (number, gate): (u16, &Gate), now: Duration) -> Decision {
    let Some(seat) = seat.filter(|seat| seat.hold == scan.hold) else { return Decision::NotSold };
    let is_repeated = |known: &&Admission| scan.id.is_some() && known.scan == scan.id && known.gate == number;
    if let Some(known) = seat.admissions.iter().find(is_repeated) {
        return Decision::Repeat(*known);
    }
    if let Some(last) = seat.admission() {
        return Decision::Reject(last);
    }
    let now = milliseconds(now);
    let at = scan.at.unwrap_or(now).min(now).max(gate.created);
    let admission = Admission { at, gate: number, scan: scan.id };
    Decision::Admit(seat.admitted(admission), admission)
}

impl SoldSeat {
    /// Returns the admission that counts.
    #[must_use]
    pub fn admission(&self) -> Option<Admission> {
        self.admissions.last().copied().filter(|_| self.is_admitted)
    }

    fn admitted(&self, admission: Admission) -> Self {
        let forgotten = (self.admissions.len() + 1).saturating_sub(MAX_REMEMBERED);
        let admissions = self.admissions[forgotten..].iter().copied().chain([admission]).collect();
        Self { is_admitted: true, admissions, ..*self }
    }

    /// Returns the seat after its admission is taken back; `None` if its ticket is not admitted.
    ///
    /// An admission by a scan with an id is remembered, because a late repetition of this scan must not admit again.
    #[must_use]
    pub fn removed(&self) -> Option<Self> {
        let last = self.admission()?;
        let mut admissions = self.admissions.clone();
        if last.scan.is_none() {
            admissions.pop();
        }
        Some(Self { is_admitted: false, admissions, ..*self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate::GateName;

    const HOLD: Uuid = Uuid::from_u128(1);
    const NOW: Duration = Duration::from_secs(100);

    fn sold() -> SoldSeat {
        SoldSeat { hold: HOLD, is_admitted: false, admissions: Vec::new() }
    }

    fn scan(id: Option<u8>) -> Scan {
        Scan { hold: HOLD, id: id.map(|id| [id; 8]), at: None }
    }

    fn decide(seat: &SoldSeat, scan: &Scan, gate: u16) -> Decision {
        let of_number = Gate { id: HOLD, name: GateName::parse("a").unwrap(), created: 50_000, secret: None };
        admit(Some(seat), scan, (gate, &of_number), NOW)
    }

    fn admitted(seat: &SoldSeat, scan: &Scan, gate: u16) -> (SoldSeat, Admission) {
        let Decision::Admit(seat, admission) = decide(seat, scan, gate) else { panic!("not admitted") };
        (seat, admission)
    }

    #[test]
    fn ticket_admits_once() {
        let (seat, first) = admitted(&sold(), &scan(None), 3);
        assert_eq!(first, Admission { at: 100_000, gate: 3, scan: None });
        for other in [scan(None), scan(Some(1))] {
            assert_eq!(decide(&seat, &other, 4), Decision::Reject(first));
        }
    }

    #[test]
    fn ticket_of_other_hold_is_not_sold() {
        let other = Scan { hold: Uuid::nil(), ..scan(None) };
        assert_eq!(decide(&sold(), &other, 0), Decision::NotSold);
        let gate = Gate { id: HOLD, name: GateName::parse("a").unwrap(), created: 0, secret: None };
        assert_eq!(admit(None, &scan(None), (0, &gate), NOW), Decision::NotSold);
    }

    #[test]
    fn scan_is_repeated_by_its_gate_only() {
        let (seat, first) = admitted(&sold(), &scan(Some(1)), 3);
        assert_eq!(decide(&seat, &scan(Some(1)), 3), Decision::Repeat(first));
        assert_eq!(decide(&seat, &scan(Some(1)), 4), Decision::Reject(first));
        let removed = seat.removed().unwrap();
        assert_eq!(decide(&removed, &scan(Some(1)), 3), Decision::Repeat(first));
        let (again, _) = admitted(&removed, &scan(Some(2)), 3);
        assert_eq!(decide(&again, &scan(Some(1)), 3), Decision::Repeat(first));
    }

    #[test]
    fn removed_admission_does_not_count() {
        assert_eq!(sold().removed(), None);
        let (seat, _) = admitted(&sold(), &scan(None), 0);
        assert_eq!(seat.removed(), Some(sold()));
        let (seat, _) = admitted(&sold(), &scan(Some(1)), 0);
        let removed = seat.removed().unwrap();
        assert_eq!((removed.admission(), removed.admissions.len(), removed.removed()), (None, 1, None));
    }

    #[test]
    fn last_three_admissions_are_remembered() {
        let seat = (1..=4).fold(sold(), |seat, id| {
            let (seat, _) = admitted(&seat, &scan(Some(id)), 0);
            seat.removed().unwrap()
        });
        let scans: Vec<_> = seat.admissions.iter().map(|admission| admission.scan).collect();
        assert_eq!(scans, [2, 3, 4].map(|id| Some([id; 8])));
    }

    #[test]
    fn clock_of_gate_is_limited() {
        for (at, expected) in [(60_000, 60_000), (100_001, 100_000), (49_999, 50_000)] {
            assert_eq!(admitted(&sold(), &Scan { at: Some(at), ..scan(None) }, 0).1.at, expected);
        }
    }
}

//! Admission: which ticket lets somebody in.

use std::{collections::BTreeMap, ops::RangeInclusive, time::Duration};

use serde::Serialize;
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

use crate::{
    clock::milliseconds,
    described,
    event::Event,
    gate::Gate,
    id,
    show::{Show, ShowStatus},
    ticket::Ticket,
    violation::Violation,
};

/// Maximum number of scans in a request.
pub const MAX_SCANS: usize = 50;

/// Number of admissions of a ticket that are remembered, so that a repetition of their scans is recognized.
pub const MAX_REMEMBERED: usize = 3;

/// Characters of the id of a scan.
const SCAN_ID_LENGTH: RangeInclusive<usize> = 1..=64;

/// Id of a scan, which a gate repeats if it got no response: 1 to 64 visible ASCII characters.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct ScanId(String);

/// Stored mark of a scan: the hash of its id, or random bytes if it has none.
///
/// If the response of the database is lost, the service repeats its write, and recognizes its own admission by this
/// mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScanMark([u8; ScanMark::BYTES]);

described!(ScanId as "ScanId", {
    "description": "Visible ASCII characters.",
    "type": "string",
    "minLength": SCAN_ID_LENGTH.start(),
    "maxLength": SCAN_ID_LENGTH.end(),
    "pattern": "^[!-~]+$",
});

impl ScanId {
    /// Parses the id of a scan.
    ///
    /// # Errors
    ///
    /// Returns `InvalidScanId` if it has another length or another character.
    pub fn parse(text: &str) -> Result<Self, Vec<Violation>> {
        if SCAN_ID_LENGTH.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic()) {
            Ok(Self(text.to_owned()))
        } else {
            Err(vec![Violation::InvalidScanId(*SCAN_ID_LENGTH.end())])
        }
    }

    /// Returns the mark that is stored: the first bytes of SHA-256.
    #[must_use]
    pub fn mark(&self) -> ScanMark {
        ScanMark::new(&Sha256::digest(&self.0), ScanMark::HAS_ID)
    }
}

impl ScanMark {
    /// Number of bytes.
    pub const BYTES: usize = 8;

    /// First bit of the mark of a scan with an id.
    const HAS_ID: u8 = 0x80;

    /// Makes the mark of a scan without an id.
    #[must_use]
    pub fn random() -> Self {
        Self::new(Uuid::new_v4().as_bytes(), 0)
    }

    /// Reads a mark from its bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; Self::BYTES]) -> Self {
        Self(bytes)
    }

    /// Returns the bytes of the mark.
    #[must_use]
    pub const fn to_bytes(self) -> [u8; Self::BYTES] {
        self.0
    }

    fn new(bytes: &[u8], first_bit: u8) -> Self {
        let mut mark = [0; Self::BYTES];
        mark.copy_from_slice(&bytes[..Self::BYTES]);
        mark[0] = mark[0] & !Self::HAS_ID | first_bit;
        Self(mark)
    }

    /// Returns true if a gate can repeat the scan.
    const fn has_id(self) -> bool {
        self.0[0] & Self::HAS_ID != 0
    }
}

/// Admission of a ticket by a gate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Admission {
    /// Time since 1970, in milliseconds.
    pub at: u64,
    /// Number of the gate.
    pub gate: u16,
    /// Scan that admitted it.
    pub scan: ScanMark,
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

/// Sold seats with the admissions of their tickets, by the numbers of the seats.
pub type SoldSeats = BTreeMap<u32, SoldSeat>;

/// Scan of a ticket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scan {
    /// The ticket.
    pub ticket: Ticket,
    /// Mark of the scan.
    pub mark: ScanMark,
    /// Time at which the gate scanned it, in milliseconds since 1970; the clock of a phone may be wrong.
    pub at: Option<u64>,
}

/// Result of a scan, with the number of the seat.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Let this person in.
    Admitted(u32, Admission),
    /// The ticket was admitted before.
    AlreadyAdmitted(u32, Admission),
    /// The order of the ticket was cancelled, whether or not the seat was sold anew.
    NotSold(u32),
    /// The show is postponed or cancelled.
    ShowOff(u32),
    /// The ticket is for this other show of the event, or for one of another event.
    WrongShow(Option<Show>),
    /// The event has no such seat.
    Invalid,
}

/// Returns the number of the seat of a ticket, if it is for a show of an event that takes place.
///
/// # Errors
///
/// Returns the result of a ticket that admits nobody to this show, whatever the state of its seat.
pub fn seat_of(ticket: &Ticket, event: &Event, show: &Show, seats: usize) -> Result<u32, Outcome> {
    if ticket.event != event.id || ticket.show != show.id {
        let other = event.shows.iter().find(|other| ticket.event == event.id && ticket.show == other.id);
        return Err(Outcome::WrongShow(other.cloned()));
    }
    let number = id::seat_number(event.id, ticket.seat).filter(|number| *number < seats);
    let number = number.and_then(|number| u32::try_from(number).ok()).ok_or(Outcome::Invalid)?;
    if show.status == ShowStatus::Scheduled { Ok(number) } else { Err(Outcome::ShowOff(number)) }
}

/// Decides whether a ticket lets somebody in through a gate with a number, at a time since 1970.
///
/// `seat` is the number of its seat and the sale of the seat, if it is sold. Returns the changed sale if the ticket is
/// admitted now, and not by a repetition of an earlier scan.
#[must_use]
pub fn admit(
    (seat, sold): (u32, Option<&SoldSeat>),
    scan: &Scan,
    (number, gate): (u16, &Gate),
    now: Duration,
) -> (Outcome, Option<SoldSeat>) {
    let Some(sold) = sold.filter(|sold| sold.hold == scan.ticket.hold) else { return (Outcome::NotSold(seat), None) };
    let is_repeated = |known: &&Admission| known.scan == scan.mark && known.gate == number;
    if let Some(known) = sold.admissions.iter().find(is_repeated) {
        return (Outcome::Admitted(seat, *known), None);
    }
    if let Some(last) = sold.admission() {
        return (Outcome::AlreadyAdmitted(seat, last), None);
    }
    let now = milliseconds(now);
    let at = scan.at.unwrap_or(now).min(now).max(gate.created);
    let admission = Admission { at, gate: number, scan: scan.mark };
    (Outcome::Admitted(seat, admission), Some(sold.admitted(admission)))
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
        if !last.scan.has_id() {
            admissions.pop();
        }
        Some(Self { is_admitted: false, admissions, ..*self })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{gate::GateName, seats::tests::event};

    const HOLD: Uuid = Uuid::from_u128(1);
    const SEAT: u32 = 7;
    const NOW: Duration = Duration::from_secs(100);

    fn sold() -> SoldSeat {
        SoldSeat { hold: HOLD, is_admitted: false, admissions: Vec::new() }
    }

    fn ticket(event: &Event) -> Ticket {
        Ticket { event: event.id, show: event.shows[0].id, hold: HOLD, seat: id::seat(event.id, SEAT as usize) }
    }

    fn mark(id: u8) -> ScanMark {
        ScanId::parse(&id.to_string()).unwrap().mark()
    }

    fn scan(id: Option<u8>) -> Scan {
        Scan { ticket: ticket(&event()), mark: id.map_or_else(ScanMark::random, mark), at: None }
    }

    fn decide(sold: Option<&SoldSeat>, scan: &Scan, number: u16) -> (Outcome, Option<SoldSeat>) {
        let gate = Gate { id: HOLD, name: GateName::parse("a").unwrap(), created: 50_000, secret: None };
        admit((SEAT, sold), scan, (number, &gate), NOW)
    }

    fn admitted(sold: &SoldSeat, scan: &Scan, gate: u16) -> (SoldSeat, Admission) {
        let (Outcome::Admitted(SEAT, admission), Some(changed)) = decide(Some(sold), scan, gate) else { panic!() };
        (changed, admission)
    }

    #[test]
    fn scan_id_is_visible_ascii() {
        for valid in ["1", "gate-1!~", &"a".repeat(64)] {
            assert!(ScanId::parse(valid).is_ok(), "{valid}");
        }
        for invalid in ["", "a b", "스캔", &"a".repeat(65)] {
            assert_eq!(ScanId::parse(invalid), Err(vec![Violation::InvalidScanId(64)]), "{invalid}");
        }
        assert_ne!(mark(1), mark(2));
    }

    #[test]
    fn ticket_admits_once() {
        let first_scan = scan(None);
        let (seat, first) = admitted(&sold(), &first_scan, 3);
        assert_eq!(first, Admission { at: 100_000, gate: 3, scan: first_scan.mark });
        for other in [scan(None), scan(Some(1))] {
            assert_eq!(decide(Some(&seat), &other, 3), (Outcome::AlreadyAdmitted(SEAT, first), None));
        }
        // The same request tries again after a lost response of the database.
        assert_eq!(decide(Some(&seat), &first_scan, 3), (Outcome::Admitted(SEAT, first), None));
    }

    #[test]
    fn ticket_of_other_hold_is_not_sold() {
        let other = Scan { ticket: Ticket { hold: Uuid::nil(), ..ticket(&event()) }, ..scan(None) };
        assert_eq!(decide(Some(&sold()), &other, 0), (Outcome::NotSold(SEAT), None));
        assert_eq!(decide(None, &scan(None), 0), (Outcome::NotSold(SEAT), None));
    }

    #[test]
    fn scan_is_repeated_by_its_gate_only() {
        let (seat, first) = admitted(&sold(), &scan(Some(1)), 3);
        let repeated = (Outcome::Admitted(SEAT, first), None);
        assert_eq!(decide(Some(&seat), &scan(Some(1)), 3), repeated);
        assert_eq!(decide(Some(&seat), &scan(Some(1)), 4), (Outcome::AlreadyAdmitted(SEAT, first), None));
        let removed = seat.removed().unwrap();
        assert_eq!(decide(Some(&removed), &scan(Some(1)), 3), repeated);
        let (again, _) = admitted(&removed, &scan(Some(2)), 3);
        assert_eq!(decide(Some(&again), &scan(Some(1)), 3), repeated);
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
        let seat = (1..=4).fold(sold(), |seat, id| admitted(&seat, &scan(Some(id)), 0).0.removed().unwrap());
        let scans: Vec<_> = seat.admissions.iter().map(|admission| admission.scan).collect();
        assert_eq!(scans, [2, 3, 4].map(mark));
    }

    #[test]
    fn clock_of_gate_is_limited() {
        for (at, expected) in [(60_000, 60_000), (100_001, 100_000), (49_999, 50_000)] {
            assert_eq!(admitted(&sold(), &Scan { at: Some(at), ..scan(None) }, 0).1.at, expected);
        }
    }

    #[test]
    fn only_ticket_of_show_has_seat() {
        let mut event = event();
        let other = Show::new(Uuid::from_u128(9), event.shows[0].instant);
        event.shows.push(other.clone());
        let seat = |ticket: &Ticket, status| {
            let show = Show { status, ..event.shows[0].clone() };
            seat_of(ticket, &event, &show, 8)
        };
        let scheduled = |ticket: &Ticket| seat(ticket, ShowStatus::Scheduled);
        let ticket = ticket(&event);
        assert_eq!(scheduled(&ticket), Ok(SEAT));
        let of_other = Ticket { show: other.id, ..ticket };
        for status in [ShowStatus::Scheduled, ShowStatus::Cancelled] {
            assert_eq!(seat(&of_other, status), Err(Outcome::WrongShow(Some(other.clone()))));
        }
        assert_eq!(scheduled(&Ticket { event: Uuid::max(), ..of_other }), Err(Outcome::WrongShow(None)));
        let beyond = Ticket { seat: id::seat(event.id, 8), ..ticket };
        assert_eq!(scheduled(&beyond), Err(Outcome::Invalid));
        for status in [ShowStatus::Postponed, ShowStatus::Cancelled] {
            assert_eq!(seat(&ticket, status), Err(Outcome::ShowOff(SEAT)));
        }
    }
}

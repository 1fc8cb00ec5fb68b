//! Messages that a server says it leaves out on purpose: told apart from what is lost.

use super::Ledger;
use super::entry::State;

impl Ledger {
    /// User `index` was told that these messages, by sender and number, will not come. Whatever else
    /// does not come is lost; one that comes all the same is a further copy.
    pub fn shed(&mut self, index: usize, strokes: &[(u32, u32)]) {
        let (board, place) = {
            let place = self.roster.place(index);
            (place.board, place.place)
        };
        for (user, seq) in strokes {
            let sender = self.roster.index(*user);
            let Some(sender) =
                sender.filter(|s| *s != index && self.roster.place(*s).board == board)
            else {
                continue;
            };
            let Some(entry) = self.senders[sender].entry(*seq) else {
                continue;
            };
            let owed = entry.state == State::Open && entry.expected.has(place);
            if owed && entry.seen.add(place) {
                entry.missing -= 1;
                let intended_ns = entry.intended_ns;
                self.tally.at(intended_ns).counts.shed += 1;
                self.conclude(sender, *seq);
            }
        }
    }
}

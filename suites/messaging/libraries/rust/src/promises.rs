//! Promise of a connection: whoever is connected gets what is sent from then on.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::time::Duration;

use tokio::time::{sleep, timeout};
use wirelab_sdk::clock::{SECOND, now_ns};

use crate::deliveries::{Deliveries, PROMISED};
use crate::messages::stamp;
use crate::transport::Transport;
use crate::users::Users;

/// Users of one try: one who comes back, one who sends, and one who shows that it was passed on.
const COMPANY: usize = 3;
const TRIED_FOR: Duration = Duration::from_secs(3);
const POLL: Duration = Duration::from_millis(1);

/// Users who take part in a try.
struct Company {
    returning: u32,
    sender: u32,
    other: u32,
}

impl<T: Transport> Users<T> {
    /// Tries it once nothing is due any more: users leave and come back, and somebody sends to
    /// everybody at once. Who it is is drawn, and the message is the next one of its sender.
    pub(crate) async fn try_promises(&self) {
        let Some(deliveries) = self.deliveries.as_ref().filter(|_| self.tells_everybody()) else {
            return;
        };
        let _ = timeout(TRIED_FOR, self.tries(deliveries)).await;
    }

    async fn tries(&self, deliveries: &Deliveries) {
        let there = self.connected().await;
        let senders: Vec<u32> =
            there.iter().copied().filter(|user| self.sends_at_last(*user)).collect();
        if senders.is_empty() || there.len() < COMPANY {
            return;
        }
        for number in 0..PROMISED.min(there.len() as u64) {
            let sender = drawn(&senders);
            let mut others: Vec<u32> =
                there.iter().copied().filter(|user| *user != sender).collect();
            let returning = drawn(&others);
            others.retain(|user| *user != returning);
            let company = Company { returning, sender, other: drawn(&others) };
            // Who cannot be spoken to any more has its own reasons.
            match self.is_broken(deliveries, &company, number).await {
                Ok(false) => {}
                Ok(true) => return deliveries.promise_broken(),
                Err(_) => return,
            }
        }
    }

    /// Tells whether a user who has come back misses what is sent at once. What did not come to the
    /// others either was not served at all, which is no matter of connecting.
    async fn is_broken(
        &self,
        deliveries: &Deliveries,
        company: &Company,
        number: u64,
    ) -> Result<bool, T::Error> {
        let phase = deliveries.phase();
        let number = phase.each + number;
        let sequence = phase.number << 32 | number;
        let mut message = self.messages.compose(company.sender, sequence, phase.size);
        self.leave(company.returning as usize).await;
        self.link_again(company.returning).await?;
        let sent_ns = now_ns();
        stamp(&mut message, sent_ns, sent_ns);
        self.tell(company.sender, &[message]).await?;
        let came = |user: u32| deliveries.came(user, company.sender, number);
        let all = [company.returning, company.sender, company.other];
        while now_ns() < sent_ns + SECOND && !all.into_iter().all(came) {
            sleep(POLL).await;
        }
        Ok(came(company.sender) && came(company.other) && !came(company.returning))
    }
}

/// One of them, of which nobody knows which; there is one at least.
fn drawn(users: &[u32]) -> u32 {
    let random = RandomState::new().build_hasher().finish();
    users[(random % users.len() as u64) as usize]
}

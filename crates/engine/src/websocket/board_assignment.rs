//! Assignment of users to boards.

/// Way in which users are put on boards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placement {
    /// One board after the other.
    Fill,
    /// In turn on all boards.
    Spread,
}

impl Placement {
    /// By its name in the suite.
    pub fn named(name: &str) -> Option<Self> {
        match name {
            "fill" => Some(Self::Fill),
            "spread" => Some(Self::Spread),
            _ => None,
        }
    }
}

/// The boards of a trial.
#[derive(Clone, Debug)]
pub struct BoardAssignment {
    users: u32,
    board_size: u32,
    placement: Placement,
    /// The number that the first board is named by.
    named: u32,
}

impl BoardAssignment {
    /// `users` on boards of at most `board_size`.
    pub fn new(users: u32, board_size: u32, placement: Placement) -> Self {
        Self {
            users,
            board_size: board_size.max(1),
            placement,
            named: 0,
        }
    }

    /// One board, named like that of another number.
    pub fn only(named: u32, users: u32) -> Self {
        Self {
            users,
            board_size: users.max(1),
            placement: Placement::Fill,
            named,
        }
    }

    /// Number of boards.
    pub fn boards(&self) -> u32 {
        self.users.div_ceil(self.board_size)
    }

    /// Number of users.
    pub fn users(&self) -> u32 {
        self.users
    }

    /// Board of a user, and the user's place there.
    pub fn place_of(&self, user: u32) -> (u32, u32) {
        match self.placement {
            Placement::Fill => (user / self.board_size, user % self.board_size),
            Placement::Spread => (user % self.boards(), user / self.boards()),
        }
    }

    /// Name of a board.
    pub fn board_name(&self, board: u32) -> String {
        format!("b{:04}", self.named + board)
    }
}

#[cfg(test)]
mod tests {
    use super::{BoardAssignment, Placement};
    use std::collections::BTreeSet;

    #[test]
    fn every_user_has_a_place_of_its_own() {
        for placement in [Placement::Fill, Placement::Spread] {
            for (users, size) in [(1, 50), (50, 50), (51, 50), (100, 25), (103, 10)] {
                let assignment = BoardAssignment::new(users, size, placement);
                let taken: BTreeSet<_> = (0..users).map(|user| assignment.place_of(user)).collect();
                assert_eq!(taken.len(), users as usize);
                assert!(
                    taken
                        .iter()
                        .all(|(board, place)| *board < assignment.boards() && *place < size)
                );
            }
        }
    }

    #[test]
    fn fill_and_spread() {
        assert_eq!(
            BoardAssignment::new(100, 25, Placement::Fill).place_of(26),
            (1, 1)
        );
        assert_eq!(
            BoardAssignment::new(100, 25, Placement::Spread).place_of(26),
            (2, 6)
        );
        assert_eq!(
            BoardAssignment::new(100, 25, Placement::Fill).board_name(7),
            "b0007"
        );
        assert_eq!(BoardAssignment::only(507, 2).board_name(0), "b0507");
    }
}

//! Places of the users, and the members of a board at the moment.

use std::collections::HashMap;

use super::members::Members;
use crate::protocol::BoardUser;
use crate::websocket::board_assignment::BoardAssignment;

/// No user.
const NOBODY: usize = usize::MAX;

/// A board of this thread.
#[derive(Debug)]
pub struct Board {
    /// Its name.
    pub name: String,
    /// Members at the moment, by place.
    pub members: Members,
    by_place: Vec<usize>,
}

impl Board {
    /// Number of places.
    pub fn size(&self) -> usize {
        self.by_place.len()
    }

    /// Indices of its users, whether they are there or not.
    pub fn users(&self) -> impl Iterator<Item = usize> + '_ {
        self.by_place
            .iter()
            .copied()
            .filter(|index| *index != NOBODY)
    }
}

/// A user of this thread.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// Its number.
    pub user: u32,
    /// Index of its board.
    pub board: usize,
    /// Its place there.
    pub place: usize,
}

/// Boards and users of a thread; users are known by their index in the list given.
#[derive(Debug)]
pub struct BoardMembers {
    /// Boards.
    pub boards: Vec<Board>,
    places: Vec<Place>,
    indices: Vec<usize>,
}

impl BoardMembers {
    /// The boards of `users`, who have them to themselves.
    pub fn new(assignment: &BoardAssignment, users: &[u32]) -> Self {
        let mut boards: Vec<Board> = Vec::new();
        let mut known: HashMap<u32, usize> = HashMap::new();
        let mut indices = vec![NOBODY; assignment.users() as usize];
        let mut places = Vec::with_capacity(users.len());
        for (index, user) in users.iter().enumerate() {
            let (number, place) = assignment.place_of(*user);
            let board = *known.entry(number).or_insert_with(|| {
                let name = assignment.board_name(number);
                boards.push(Board {
                    name,
                    members: Members::default(),
                    by_place: Vec::new(),
                });
                boards.len() - 1
            });
            let (by_place, place) = (&mut boards[board].by_place, place as usize);
            by_place.resize(by_place.len().max(place + 1), NOBODY);
            by_place[place] = index;
            places.push(Place {
                user: *user,
                board,
                place,
            });
            indices[*user as usize] = index;
        }
        for board in &mut boards {
            board.members = Members::none_of(board.by_place.len());
        }
        Self {
            boards,
            places,
            indices,
        }
    }

    /// Place of the user with this index.
    pub fn place(&self, index: usize) -> Place {
        self.places[index]
    }

    /// The board of the user with this index.
    pub fn board(&self, index: usize) -> &Board {
        &self.boards[self.places[index].board]
    }

    /// The user with this index, as adapters want it.
    pub fn member(&self, index: usize) -> BoardUser<'_> {
        BoardUser {
            board: &self.board(index).name,
            user: self.places[index].user,
        }
    }

    /// Index of a user, if it is one of this thread.
    pub fn index(&self, user: u32) -> Option<usize> {
        self.indices
            .get(user as usize)
            .copied()
            .filter(|index| *index != NOBODY)
    }

    /// Number of users.
    pub fn users(&self) -> usize {
        self.places.len()
    }

    /// Numbers of the users on these places of a board.
    pub fn numbers(&self, board: usize, places: &Members) -> Vec<u32> {
        places
            .iter()
            .map(|place| self.places[self.boards[board].by_place[place]].user)
            .collect()
    }
}

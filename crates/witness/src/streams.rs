//! Connections, and the positions of their bytes.

use std::collections::HashMap;
use std::io;

use crate::message::{Dissector, Framing, Message};
use crate::packet::{End, FIN, Packet, RST, SYN, TCP};
use crate::ring::RingFrame;
use crate::rows::{Lost, Row, Rows, Way};

/// Connections that are known at a time. Beyond, room is made by those that have ended, then by those
/// that have been silent for longest.
const MOST_CONNECTIONS: usize = 1 << 16;

/// So much of it at a time: to look for them takes a while.
const ROOM_SHARE: usize = 8;

type Key = (u8, End, End);

/// Every connection that was seen.
pub struct Streams {
    framing: Framing,
    known: HashMap<Key, Connection>,
    most: usize,
    next: u32,
    found: Vec<Message>,
}

struct Connection {
    number: u32,
    /// Stamp of its last packet.
    seen_ns: u64,
    /// To the server and from it.
    streams: [Stream; 2],
}

/// One direction: positions count its payload from 0.
struct Stream {
    /// Sequence number of position 0 (of the last 4 GiB), once it is known.
    base: Option<u32>,
    /// Position after the last byte that departed.
    departed: u64,
    messages: Option<Box<dyn Dissector>>,
    lost: Option<Lost>,
    /// Bytes of it were missing once: what makes no sense later may be of that.
    has_hole: bool,
    ended: bool,
}

impl Streams {
    /// None yet.
    pub fn new(framing: Framing) -> Self {
        Self {
            framing,
            known: HashMap::new(),
            most: MOST_CONNECTIONS,
            next: 0,
            found: Vec::new(),
        }
    }

    /// Takes a packet in whose server listens at one of `ports`.
    pub fn see(
        &mut self,
        frame: &RingFrame<'_>,
        packet: &Packet<'_>,
        ports: &[u16],
        rows: &mut Rows,
    ) -> io::Result<()> {
        let to_server = ports.contains(&packet.target.1);
        let (client, server) = if to_server {
            (packet.source, packet.target)
        } else {
            (packet.target, packet.source)
        };
        let way = if to_server {
            Way::ToServer
        } else {
            Way::FromServer
        };
        let begins_anew = packet.flags & SYN != 0 && to_server && frame.departs;
        let key = (packet.protocol, client, server);
        // A port may be used again once its connection has ended.
        if begins_anew
            && self
                .known
                .get(&key)
                .is_some_and(|old| !old.begins_with(packet.sequence))
        {
            self.forget(&key, frame.stamp_ns, rows)?;
        }
        if !self.known.contains_key(&key) && self.known.len() >= self.most {
            self.make_room(frame.stamp_ns, rows)?;
        }
        let connection = match self.known.entry(key) {
            std::collections::hash_map::Entry::Occupied(known) => known.into_mut(),
            std::collections::hash_map::Entry::Vacant(free) => {
                let number = self.next;
                self.next += 1;
                rows.write(&Row {
                    kind: 5,
                    flags: u8::from(begins_anew),
                    connection: number,
                    stamp: frame.stamp_ns,
                    wide: [u64::from(server.1), u64::from(client.1)],
                    narrow: [
                        if server.0.is_ipv4() { 4 } else { 6 },
                        u32::from(packet.protocol),
                        0,
                        0,
                    ],
                    ..Row::default()
                })?;
                free.insert(Connection {
                    number,
                    seen_ns: 0,
                    streams: WAYS.map(|way| Stream::of(&self.framing, way)),
                })
            }
        };
        let number = connection.number;
        connection.see(frame.stamp_ns, way, packet);
        let stream = &mut connection.streams[way as usize];
        let position = stream.position(packet);
        let again = frame.departs && packet.length > 0 && position < stream.departed;
        let row = Row {
            kind: 1,
            way: way as u8,
            side: u8::from(!frame.departs),
            flags: u8::from(again && packet.protocol == TCP),
            connection: number,
            stamp: frame.stamp_ns,
            wide: [position, u64::from(packet.length)],
            narrow: [u32::from(packet.flags), frame.length, 0, 0],
        };
        rows.packet(frame, &row)?;
        if !frame.departs || packet.length == 0 {
            return Ok(());
        }
        if stream.messages.is_some() && packet.protocol == TCP {
            stream.follow(frame.stamp_ns, position, packet, &mut self.found, |gap| {
                rows.gap(number, way, gap, frame.stamp_ns)
            })?;
            for message in self.found.drain(..) {
                rows.message(number, way, frame.stamp_ns, &message)?;
            }
            // Either end names the policy; what the other one says is as unreadable.
            if stream.messages.as_ref().is_some_and(|one| one.secured()) {
                let both = connection.streams.iter_mut();
                both.filter_map(|one| one.messages.as_mut())
                    .for_each(|messages| messages.secure());
            }
        }
        let stream = &mut connection.streams[way as usize];
        stream.departed = stream.departed.max(position + u64::from(packet.length));
        Ok(())
    }

    /// Tells of streams that could not be followed until now.
    pub fn end(&mut self, rows: &mut Rows) -> io::Result<()> {
        let mut known = self.known.values();
        known.try_for_each(|connection| connection.tell_gaps(u64::MAX, rows))
    }

    /// Lets go of a connection, and tells what is not known of it.
    fn forget(&mut self, key: &Key, now_ns: u64, rows: &mut Rows) -> io::Result<()> {
        match self.known.remove(key) {
            Some(connection) => connection.tell_gaps(now_ns, rows),
            None => Ok(()),
        }
    }

    /// Lets go of those that are needed least.
    fn make_room(&mut self, now_ns: u64, rows: &mut Rows) -> io::Result<()> {
        let known = self.known.iter();
        let mut oldest: Vec<_> = known
            .map(|(key, connection)| (!connection.has_ended(), connection.seen_ns, *key))
            .collect();
        oldest.sort_unstable();
        for (_, _, key) in &oldest[..self.most.div_ceil(ROOM_SHARE)] {
            self.forget(key, now_ns, rows)?;
        }
        Ok(())
    }
}

impl Connection {
    fn begins_with(&self, sequence: u32) -> bool {
        self.streams[Way::ToServer as usize].base == Some(sequence.wrapping_add(1))
    }

    fn see(&mut self, stamp_ns: u64, way: Way, packet: &Packet<'_>) {
        self.seen_ns = stamp_ns;
        let [there, back] = &mut self.streams;
        if packet.flags & RST != 0 {
            (there.ended, back.ended) = (true, true);
        }
        self.streams[way as usize].ended |= packet.flags & FIN != 0;
    }

    fn has_ended(&self) -> bool {
        self.streams.iter().all(|stream| stream.ended)
    }

    /// Tells of its streams that cannot be followed before `until_ns`.
    fn tell_gaps(&self, until_ns: u64, rows: &mut Rows) -> io::Result<()> {
        for (way, stream) in WAYS.iter().zip(&self.streams) {
            if let Some(lost) = stream.lost {
                rows.gap(self.number, *way, lost, until_ns)?;
            }
        }
        Ok(())
    }
}

const WAYS: [Way; 2] = [Way::ToServer, Way::FromServer];

impl Stream {
    fn of(framing: &Framing, way: Way) -> Self {
        Self {
            base: None,
            departed: 0,
            messages: framing.dissector(way),
            lost: None,
            has_hole: false,
            ended: false,
        }
    }

    /// Position at which the payload of a packet begins.
    fn position(&mut self, packet: &Packet<'_>) -> u64 {
        if packet.protocol != TCP {
            return self.departed;
        }
        let base = self.base.unwrap_or_else(|| {
            // A SYN takes a number of its own. Without one, positions count from what is seen, and
            // what came before it is missing.
            let opens = packet.flags & (SYN | RST) == SYN;
            self.has_hole |= !opens;
            packet.sequence.wrapping_add(u32::from(opens))
        });
        self.base = Some(base);
        if packet.flags & SYN != 0 {
            return 0;
        }
        // Within 2 GiB of what has departed.
        let near = base.wrapping_add(self.departed as u32);
        let distance = i64::from(packet.sequence.wrapping_sub(near) as i32);
        (self.departed as i64 + distance).max(0) as u64
    }

    /// Finds messages in what departs for the first time.
    fn follow(
        &mut self,
        stamp: u64,
        position: u64,
        packet: &Packet<'_>,
        found: &mut Vec<Message>,
        mut tell: impl FnMut(Lost) -> io::Result<()>,
    ) -> io::Result<()> {
        let end = position + u64::from(packet.length);
        if end <= self.departed {
            return Ok(()); // sent again
        }
        let known = self.departed.saturating_sub(position) as usize;
        let new = packet.payload.get(known..).unwrap_or_default();
        let whole = packet.payload.len() == packet.length as usize && position <= self.departed;
        let Some(messages) = self.messages.as_mut() else {
            return Ok(());
        };
        if let Some(lost) = self.lost {
            if !(whole && messages.goes_on(new)) {
                return Ok(());
            }
            tell(lost)?;
            self.lost = None;
        }
        self.has_hole |= !whole;
        if !whole || !messages.take(end - new.len() as u64, new, found) {
            self.lost = Some(Lost {
                since: stamp,
                has_hole: self.has_hole,
            });
        }
        Ok(())
    }
}

#[cfg(test)]
#[path = "streams_tests.rs"]
mod tests;

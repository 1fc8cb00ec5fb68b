//! A null server's event loop: accepts clients, and serves them until it is told to stop.

use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use mio::net::{TcpListener, TcpStream};
use mio::{Events, Interest, Poll, Token, Waker};

use crate::net::{FIRST, Ready, WAKER};

const LISTENER: Token = Token(0);
const EVENTS: usize = 1024;

/// Work of a server for its clients.
pub trait NullService: Default {
    /// A connection, and what the server knows of it.
    type NullClient;

    /// A client has come. No other has its number as long as it stays.
    fn receive(&mut self, number: usize, socket: TcpStream) -> Self::NullClient;

    /// Reads and answers what client `number` has sent. None: it has gone, or is to go.
    fn serve(
        &mut self,
        clients: &mut ClientTable<Self::NullClient>,
        number: usize,
        ready: Ready,
    ) -> Option<()>;

    /// A client has gone.
    fn forget(&mut self, _number: usize, _client: Self::NullClient) {}
}

/// Clients by their numbers, which are used again.
pub struct ClientTable<C> {
    places: Vec<Option<C>>,
    free: Vec<usize>,
}

impl<C> ClientTable<C> {
    /// The client of that number, if it has not gone.
    pub fn get_mut(&mut self, number: usize) -> Option<&mut C> {
        self.places.get_mut(number)?.as_mut()
    }

    fn free_number(&mut self) -> usize {
        self.free.pop().unwrap_or_else(|| {
            self.places.push(None);
            self.places.len() - 1
        })
    }

    fn remove(&mut self, number: usize) -> Option<C> {
        let client = self.places.get_mut(number)?.take()?;
        self.free.push(number);
        Some(client)
    }
}

/// A listening socket.
pub struct NullListener {
    poll: Poll,
    listener: TcpListener,
    address: SocketAddr,
    closing: Arc<AtomicBool>,
}

/// The end of [`NullListener::serve`].
pub struct Closer {
    waker: Waker,
    closing: Arc<AtomicBool>,
}

impl Closer {
    /// Lets no other client be served: what is left in the sockets of thousands may take minutes.
    pub fn close(&self) -> io::Result<()> {
        self.closing.store(true, Ordering::Relaxed);
        self.waker.wake()
    }
}

impl NullListener {
    /// Listens on an address such as `127.0.0.1:0`.
    pub fn open(listen: &str) -> io::Result<Self> {
        let listen = listen.parse().map_err(io::Error::other)?;
        let mut listener = TcpListener::bind(listen)?;
        let address = listener.local_addr()?;
        let poll = Poll::new()?;
        poll.registry()
            .register(&mut listener, LISTENER, Interest::READABLE)?;
        Ok(Self {
            poll,
            listener,
            address,
            closing: Arc::default(),
        })
    }

    /// Address at which it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Ends [`Self::serve`].
    pub fn closer(&self) -> io::Result<Closer> {
        Ok(Closer {
            waker: Waker::new(self.poll.registry(), WAKER)?,
            closing: Arc::clone(&self.closing),
        })
    }

    /// Accepts clients and has `service` serve them, until the closer closes.
    pub fn serve<S: NullService>(mut self, mut service: S) -> io::Result<()> {
        let mut events = Events::with_capacity(EVENTS);
        let mut clients = ClientTable {
            places: Vec::new(),
            free: Vec::new(),
        };
        loop {
            match self.poll.poll(&mut events, None) {
                Err(error) if error.kind() != ErrorKind::Interrupted => return Err(error),
                _ => {}
            }
            for event in &events {
                if self.closing.load(Ordering::Relaxed) {
                    return Ok(());
                }
                match event.token() {
                    LISTENER => self.accept(&mut service, &mut clients)?,
                    WAKER => {}
                    Token(token) => {
                        let number = token - FIRST;
                        if service
                            .serve(&mut clients, number, Ready::of(event))
                            .is_none()
                            && let Some(client) = clients.remove(number)
                        {
                            service.forget(number, client);
                        }
                    }
                }
            }
        }
    }

    fn accept<S: NullService>(
        &self,
        service: &mut S,
        clients: &mut ClientTable<S::NullClient>,
    ) -> io::Result<()> {
        loop {
            let mut socket = match self.listener.accept() {
                Ok((socket, _)) => socket,
                Err(error) if error.kind() == ErrorKind::WouldBlock => return Ok(()),
                Err(error) => {
                    // Out of files: the listener tells again when the next one comes.
                    eprintln!("accept: {error}");
                    return Ok(());
                }
            };
            socket.set_nodelay(true)?;
            let number = clients.free_number();
            let both = Interest::READABLE | Interest::WRITABLE;
            let token = Token(number + FIRST);
            self.poll.registry().register(&mut socket, token, both)?;
            clients.places[number] = Some(service.receive(number, socket));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cell::RefCell;
    use std::io::Write;

    use mio::net::TcpStream;

    use super::{ClientTable, Closer, NullListener, NullService, Ready};

    thread_local! {
        static CLOSER: RefCell<Option<Closer>> = const { RefCell::new(None) };
        static SERVED: RefCell<usize> = const { RefCell::new(0) };
    }

    /// Is told to stop while it serves a client, with others ready beside it.
    #[derive(Default)]
    struct Interrupted;

    impl NullService for Interrupted {
        type NullClient = TcpStream;

        fn receive(&mut self, _number: usize, socket: TcpStream) -> TcpStream {
            socket
        }

        fn serve(
            &mut self,
            _clients: &mut ClientTable<TcpStream>,
            _number: usize,
            _ready: Ready,
        ) -> Option<()> {
            SERVED.with_borrow_mut(|served| *served += 1);
            CLOSER.with_borrow(|closer| closer.as_ref().map(|one| one.close().unwrap()))
        }
    }

    #[test]
    fn nobody_is_served_after_it_was_told_to_stop() {
        let listener = NullListener::open("127.0.0.1:0").unwrap();
        CLOSER.with_borrow_mut(|closer| *closer = Some(listener.closer().unwrap()));
        let mut clients: Vec<_> = (0..20)
            .map(|_| std::net::TcpStream::connect(listener.address()).unwrap())
            .collect();
        for client in &mut clients {
            client.write_all(b"something").unwrap();
        }
        listener.serve(Interrupted).unwrap();
        assert_eq!(SERVED.with_borrow(|served| *served), 1);
    }

    #[test]
    fn who_goes_leaves_the_number_once() {
        let mut clients = ClientTable {
            places: Vec::new(),
            free: Vec::new(),
        };
        for name in ["a", "b"] {
            let number = clients.free_number();
            clients.places[number] = Some(name);
        }
        assert_eq!(clients.remove(0), Some("a"));
        assert_eq!((clients.remove(0), clients.get_mut(0)), (None, None));
        assert_eq!(clients.get_mut(1), Some(&mut "b"));
        assert_eq!((clients.free_number(), clients.free_number()), (0, 2));
        assert_eq!(clients.remove(3), None);
    }
}

package io.wirelab.messaging.rmi;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** Methods that a client lets the server call. */
interface Receiver extends Remote {
    /** Takes what is broadcast. */
    void delivered(byte[] message) throws RemoteException;
}

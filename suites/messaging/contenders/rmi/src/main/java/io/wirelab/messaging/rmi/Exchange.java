package io.wirelab.messaging.rmi;

import java.rmi.Remote;
import java.rmi.RemoteException;

/** Methods that the server offers. */
interface Exchange extends Remote {
    /** The name it is bound to in its registry. */
    String NAME = "exchange";

    /** The message again. */
    byte[] echo(byte[] message) throws RemoteException;

    /** From its return on {@code receiver} gets what is broadcast. */
    void join(Receiver receiver) throws RemoteException;

    /** From its return on {@code receiver} gets nothing more. */
    void leave(Receiver receiver) throws RemoteException;

    /** Returns when every receiver that can be reached has taken the message. */
    void broadcast(byte[] message) throws RemoteException;
}

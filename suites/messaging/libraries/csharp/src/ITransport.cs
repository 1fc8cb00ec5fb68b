namespace Wirelab.Messaging;

/// <summary>
/// Takes what is broadcast to one user, on whatever threads it comes. What holds the bytes may be used again when
/// this has completed, and the next one follows only then.
/// </summary>
public delegate ValueTask Inbox(ReadOnlyMemory<byte> message);

/// <summary>A way of messaging under test, as its clients see it. One for all users of a worker.</summary>
public interface ITransport
{
    /// <summary>Name and version of the library.</summary>
    (string Name, string Version) Library { get; }

    /// <summary>True where the library makes lost connections again by itself, so that links go on.</summary>
    bool ReconnectsItself => false;

    /// <summary>
    /// Connects a user. From its end on the user can send, and gets every broadcast that is sent.
    /// </summary>
    /// <param name="user">Number of the user, from 0; nobody else with it is connected at the same time.</param>
    /// <param name="inbox">Takes what others send; null where nobody does, or this user gets nothing of it.</param>
    /// <param name="limit">Cancelled when it is given up.</param>
    Task<ILink> Connect(int user, Inbox? inbox, CancellationToken limit);

    /// <summary>Status with which a failure that this library threw is recorded.</summary>
    Status StatusOf(Exception thrown) => Network.StatusOf(thrown);

    /// <summary>Frees what the users share; their links are closed already.</summary>
    Task Close() => Task.CompletedTask;
}

/// <summary>The connection of one user. One call at a time, but for what the library calls back.</summary>
public interface ILink
{
    /// <summary>True where an echo ends only when the broker has acknowledged it as well.</summary>
    bool Acknowledged => false;

    /// <summary>Sends a message that comes back to this user alone, and is given to <paramref name="reply"/> then.</summary>
    Task Echo(byte[] message, Reply reply, CancellationToken limit);

    /// <summary>Sends a message to all users, the sender included; ends when the library lets its caller go on.</summary>
    Task Broadcast(byte[] message, CancellationToken limit);

    /// <summary>
    /// Sends messages to all users, one after the other, without waiting for one before the next where the library
    /// can do that; ends when the library lets its caller go on.
    /// </summary>
    async Task Stream(IReadOnlyList<byte[]> messages, CancellationToken limit)
    {
        foreach (byte[] message in messages)
        {
            await Broadcast(message, limit).ConfigureAwait(false);
        }
    }

    /// <summary>Leaves, with what the library's protocol has for a goodbye.</summary>
    Task Close();

    /// <summary>Leaves without a word, as a process does that is killed.</summary>
    Task Abandon() => Close();
}

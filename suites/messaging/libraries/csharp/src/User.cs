using Wirelab.Lanes;

namespace Wirelab.Messaging;

/// <summary>One user: its link, and what it does on it, one after the other.</summary>
internal sealed class User(int number, ITransport transport, Message messages, Inbox? inbox)
{
    private volatile ILink? _link;
    private long _hellos;

    public int Number => number;

    /// <summary>True while it has a link.</summary>
    public bool IsConnected => _link is not null;

    /// <summary>A connection that is accepted but not served is none: the first answer makes it one.</summary>
    public async Task<ILink> Connect(CancellationToken limit)
    {
        ILink made = await transport.Connect(number, inbox, limit).ConfigureAwait(false);
        try
        {
            long sequence = _hellos++;
            byte[] hello = messages.Compose(number, sequence, Message.Header);
            Message.StampSent(hello, Clock.Now, 0);
            Reply reply = await Echoed(made, hello, limit).ConfigureAwait(false);
            if (!messages.IsIntact(reply.Answer.Result, number, sequence, Message.Header))
            {
                throw new IOException("the first answer is not what was asked for");
            }
        }
        catch (Exception)
        {
            await Quietly(made.Close, "closed").ConfigureAwait(false);
            throw;
        }
        _link = made;
        return made;
    }

    /// <summary>Sends a message that comes back; the call ended when that was there.</summary>
    public async Task<byte[]> Echo(byte[] message, LaneCall call, CancellationToken limit)
    {
        ILink link = _link ?? await Connect(limit).ConfigureAwait(false);
        Message.StampSent(message, call.StartNs, 0);
        Reply reply = await Echoed(link, message, limit).ConfigureAwait(false);
        call.EndedAt(reply.EndNs);
        return reply.Answer.Result;
    }

    /// <summary>Sends messages to everybody. Those who get them count what is delivered.</summary>
    public async Task Send(byte[][] batch, bool streams, CancellationToken limit)
    {
        ILink link = _link ?? await Connect(limit).ConfigureAwait(false);
        Task sending = streams ? link.Stream(batch, limit) : link.Broadcast(batch[0], limit);
        await sending.ConfigureAwait(false);
    }

    /// <summary>Leaves as a killed process does.</summary>
    public Task Abandon() => Left() is ILink link ? Quietly(link.Abandon, "abandoned") : Task.CompletedTask;

    /// <summary>Leaves.</summary>
    public Task Leave() => Left() is ILink link ? Quietly(link.Close, "closed") : Task.CompletedTask;

    private ILink? Left() => Interlocked.Exchange(ref _link, null);

    private static async Task<Reply> Echoed(ILink link, byte[] message, CancellationToken limit)
    {
        var reply = new Reply(link.Acknowledged);
        await link.Echo(message, reply, limit).ConfigureAwait(false);
        await reply.Answer.WaitAsync(limit).ConfigureAwait(false);
        return reply;
    }

    private async Task Quietly(Func<Task> leave, string what)
    {
        try
        {
            await leave().ConfigureAwait(false);
        }
        catch (Exception why)
        {
            Console.Error.WriteLine($"user {number} could not be {what}: {why.Message}");
        }
    }
}

using Wirelab;
using Wirelab.Messaging;

MessagingClients.Run(spec => new MemoryTransport(spec.Parameters));

/// <summary>
/// A transport without a network, for the tests. Of what the user 0 sends to all, one message comes late, twice,
/// changed, or not at all, where the parameters say so, or whoever comes back gets nothing.
/// </summary>
internal sealed class MemoryTransport(Fields script) : ITransport
{
    private readonly object _gate = new();
    private readonly Dictionary<int, Inbox> _inboxes = [];
    private readonly HashSet<int> _known = [];

    public (string Name, string Version) Library => ("memory", "1");

    public Task<ILink> Connect(int user, Inbox? inbox, CancellationToken limit)
    {
        lock (_gate)
        {
            bool forgotten = !_known.Add(user) && script.Flag("forgets", false);
            if (inbox is not null && !forgotten)
            {
                _inboxes[user] = inbox;
            }
        }
        return Task.FromResult<ILink>(new Link(this, user));
    }

    private async Task ToAll(int from, int number, byte[] message)
    {
        Inbox[] inboxes;
        lock (_gate)
        {
            inboxes = [.. _inboxes.Values];
        }
        bool scripted = from == 0 && number == 3;
        if (scripted && script.Flag("lost", false))
        {
            return;
        }
        if (scripted && script.Flag("changed", false))
        {
            message[^1] ^= 1;
        }
        foreach (Inbox inbox in inboxes)
        {
            await inbox(message);
            if (scripted && script.Flag("twice", false))
            {
                await inbox(message);
            }
        }
    }

    private sealed class Link(MemoryTransport memory, int user) : ILink
    {
        private byte[]? _held;
        private int _sent;

        public async Task Echo(byte[] message, Reply reply, CancellationToken limit)
        {
            await Task.Yield();
            reply.Returned([.. message]);
        }

        public async Task Broadcast(byte[] message, CancellationToken limit)
        {
            int number = _sent++;
            byte[] copy = [.. message];
            if (user == 0 && number == 3 && memory.LateOne)
            {
                _held = copy;
                return;
            }
            await memory.ToAll(user, number, copy);
            if (_held is not null)
            {
                await memory.ToAll(user, number, _held);
                _held = null;
            }
        }

        public Task Close()
        {
            lock (memory._gate)
            {
                memory._inboxes.Remove(user);
            }
            return Task.CompletedTask;
        }
    }

    private bool LateOne => script.Flag("late", false);
}

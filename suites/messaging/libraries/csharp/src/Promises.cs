using System.Security.Cryptography;

namespace Wirelab.Messaging;

/// <summary>
/// The promise of a connection, tried once nothing is due any more: whoever is connected gets what is sent from then
/// on. Users leave and come back, and somebody sends to everybody at once. Who it is is drawn, and the message is the
/// next one of its sender.
/// </summary>
internal sealed class Promises(Message messages, Deliveries deliveries, Phases phases, Step step)
{
    /// <summary>Who comes back, who sends, and somebody who shows that it was passed on.</summary>
    private const int Company = 3;

    private const long ArrivalNs = 1_000_000_000;
    private static readonly TimeSpan Whole = TimeSpan.FromSeconds(3);
    private static readonly TimeSpan Poll = TimeSpan.FromMilliseconds(1);

    /// <summary>Lets some users come back; who cannot be spoken to any more has its own reasons.</summary>
    public async Task Try(User[] users)
    {
        User[] there = users.Take(step.Users).Where(user => user.IsConnected).ToArray();
        User[] senders = there.Where(user => user.Number < step.Lanes).ToArray();
        if (senders.Length == 0 || there.Length < Company)
        {
            return;
        }
        using var limit = new CancellationTokenSource(Whole);
        try
        {
            for (int number = 0; number < Math.Min(Deliveries.PromisedMessages, there.Length); number++)
            {
                User host = senders[RandomNumberGenerator.GetInt32(senders.Length)];
                User[] others = there.Where(user => user != host).ToArray();
                RandomNumberGenerator.Shuffle<User>(others);
                if (await IsBroken(others[0], host, others[1], number, limit.Token).ConfigureAwait(false))
                {
                    deliveries.PromiseBroken(others[0].Number);
                    return;
                }
            }
        }
        catch (Exception why)
        {
            Console.Error.WriteLine($"what a connection promises was not tried any more: {why.Message}");
        }
    }

    /// <summary>
    /// Whether the guest misses what is sent as soon as it has come back. What did not come to the others either was
    /// not served at all, which is no matter of connecting.
    /// </summary>
    private async Task<bool> IsBroken(User guest, User host, User other, int number, CancellationToken limit)
    {
        bool CameTo(User user) => deliveries.Came(user.Number, host.Number, number);
        long sequence = phases.Promised(step, deliveries.Promise(number));
        byte[] message = messages.Compose(host.Number, sequence, phases.BytesOf(step));
        await guest.Leave().ConfigureAwait(false);
        await guest.Connect(limit).ConfigureAwait(false);
        long now = Clock.Now;
        Message.StampSent(message, now, now);
        await host.Send([message], false, limit).ConfigureAwait(false);
        while (!(CameTo(guest) && CameTo(host) && CameTo(other)) && Clock.Now < now + ArrivalNs)
        {
            await Task.Delay(Poll, limit).ConfigureAwait(false);
        }
        return CameTo(host) && CameTo(other) && !CameTo(guest);
    }
}

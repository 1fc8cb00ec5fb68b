using System.Security.Cryptography;

namespace Wirelab.Messaging;

/// <summary>
/// The promise of a connection, tried once nothing is due any more: whoever is connected gets what is sent from then
/// on. Users leave and come back, and somebody sends to everybody at once. Who it is is drawn, and the message is the
/// next one of its sender.
/// </summary>
internal sealed class Promises(Message messages, Deliveries deliveries, Phases phases, Step step)
{
    /// <summary>Users of one try: one who comes back, one who sends, and one who shows that it was passed on.</summary>
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
                User sender = senders[RandomNumberGenerator.GetInt32(senders.Length)];
                User[] others = there.Where(user => user != sender).ToArray();
                RandomNumberGenerator.Shuffle<User>(others);
                if (await IsBroken(others[0], sender, others[1], number, limit.Token).ConfigureAwait(false))
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
    /// Tells whether a user who has come back misses what is sent at once. What did not come to the others either was
    /// not served at all, which is no matter of connecting.
    /// </summary>
    private async Task<bool> IsBroken(User returning, User sender, User other, int number, CancellationToken limit)
    {
        bool CameTo(User user) => deliveries.Came(user.Number, sender.Number, number);
        long sequence = phases.Promised(step, deliveries.Promise(number));
        byte[] message = messages.Compose(sender.Number, sequence, phases.BytesOf(step));
        await returning.Leave().ConfigureAwait(false);
        await returning.Connect(limit).ConfigureAwait(false);
        long now = Clock.Now;
        Message.StampSent(message, now, now);
        await sender.Send([message], false, limit).ConfigureAwait(false);
        while (!(CameTo(returning) && CameTo(sender) && CameTo(other)) && Clock.Now < now + ArrivalNs)
        {
            await Task.Delay(Poll, limit).ConfigureAwait(false);
        }
        return CameTo(sender) && CameTo(other) && !CameTo(returning);
    }
}

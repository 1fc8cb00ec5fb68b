using Wirelab.Lanes;

namespace Wirelab.Messaging;

/// <summary>
/// Users to whom the messages of a phase are owed, by the number of a message. In an open loop users join while others
/// send: what is sent while a step settles is owed to those of the step before it.
/// </summary>
internal sealed class Owed
{
    private readonly (long From, int Users)[] _bounds;

    private Owed((long From, int Users)[] bounds) => _bounds = bounds;

    /// <summary>To so many users, whichever message it is: who joins does so before any is sent.</summary>
    public static Owed Everything(int users) => new([(0, users)]);

    /// <summary>To users of these steps, at each of whose ticks a sender has so many messages.</summary>
    public static Owed Within(IReadOnlyList<Step> steps, int perTick)
    {
        var bounds = new List<(long From, int Users)>();
        int before = 0;
        foreach (Step step in steps)
        {
            bounds.Add((step.First * perTick, Math.Min(before, step.Users)));
            bounds.Add(((step.First + step.Settle) * perTick, step.Users));
            before = step.Users;
        }
        return new Owed([.. bounds]);
    }

    /// <summary>Number of users, the first ones, to whom this message of a sender is owed.</summary>
    public int To(long number)
    {
        int at = _bounds.Length - 1;
        while (at > 0 && number < _bounds[at].From)
        {
            at--;
        }
        return _bounds[at].Users;
    }
}

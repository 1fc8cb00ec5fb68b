namespace Wirelab.Lanes;

/// <summary>A barrier of tasks that opens when all of them wait at it, or have left.</summary>
/// <param name="lanes">How many come.</param>
/// <param name="opening">What the last one does while the others wait for it.</param>
internal sealed class LaneBarrier(int lanes, Action opening)
{
    private readonly object _gate = new();
    private TaskCompletionSource _opened = Closed();
    private int _lanes = lanes;
    private int _waiting;

    /// <summary>Completes when all lanes have come, or have left.</summary>
    public Task Arrive()
    {
        lock (_gate)
        {
            Task opened = _opened.Task;
            _waiting++;
            OpenIfComplete();
            return opened;
        }
    }

    /// <summary>Takes a lane away, so that nobody waits for it.</summary>
    public void Leave()
    {
        lock (_gate)
        {
            _lanes--;
            OpenIfComplete();
        }
    }

    private void OpenIfComplete()
    {
        if (_waiting > 0 && _waiting >= _lanes)
        {
            opening();
            _waiting = 0;
            TaskCompletionSource opened = _opened;
            _opened = Closed();
            opened.SetResult();
        }
    }

    /// <summary>
    /// A closed gate. Whoever waits goes on by itself: not one after the other on the thread that came last.
    /// </summary>
    private static TaskCompletionSource Closed() => new(TaskCreationOptions.RunContinuationsAsynchronously);
}

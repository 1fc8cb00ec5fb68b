using Wirelab;
using Wirelab.Test;

switch (args.FirstOrDefault("client"))
{
    case "client":
        PacedClient.Run(spec => new ScriptedClient(spec));
        break;
    case "lanes":
        Worker.Run(ScriptedLanes.Play);
        break;
    case "serve":
        ServingPart.Run(ScriptedServer.Start);
        break;
    case "references":
        Console.Out.WriteLine(string.Join('\n', References.Of(args[1])));
        break;
    case "vectors":
        Vectors.Compare(args[1], args[2]);
        break;
    default:
        throw new ArgumentException($"unknown: {args[0]}");
}

namespace Wirelab;

/// <summary>A spec or a command that is not as the contract has it; the message names the key.</summary>
public sealed class ContractException(string message) : Exception(message);

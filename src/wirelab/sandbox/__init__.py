"""The sandbox of roles: what a role sees and may change, and the namespaces of a trial.

``view`` describes what is seen, ``bubblewrap`` makes it a command line, ``namespaces`` holds what
the roles of a trial share, ``surroundings`` finds what a role needs of this machine, ``ability``
says whether sandboxes can be had here.
"""

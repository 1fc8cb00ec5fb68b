"""The chapters of the report of the suite ``websocket``, in the order of the study."""

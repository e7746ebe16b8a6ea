"""The app's screens, each with the .tcss that places its rows."""

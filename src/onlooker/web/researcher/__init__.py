"""The researcher's pages: sign-in, dashboard, data and bonuses."""

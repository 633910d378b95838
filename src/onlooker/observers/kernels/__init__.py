"""Compiled observers: appraisals, choice rules, whom they trust, and acting."""

"""Stimulus sheets: every trial of a set on pages to print."""

from onlooker.drawing.sheet.pages import save_sheet, sheet_figures

__all__ = ["save_sheet", "sheet_figures"]

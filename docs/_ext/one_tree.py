"""Lay out the tree of pages once for all pages of source code.

It stands at the side of every page, and takes longer to lay out than the page itself. Pages of source code are in no
tree, so at equal depth they show the same one.
"""


def setup(app):
    """Hook in before the theme asks for the tree."""
    trees: dict[tuple, str] = {}

    def share(app, pagename, templatename, context, doctree):
        if pagename.startswith("_modules/"):
            tree, depth = context["toctree"], pagename.count("/")

            def once(**options):
                key = (depth, *sorted(options.items()))
                if key not in trees:
                    trees[key] = tree(**options)
                return trees[key]

            context["toctree"] = once

    app.connect("html-page-context", share, priority=100)
    return {"parallel_read_safe": True, "parallel_write_safe": True}

"""The material: model, reader and writer, library, check, importers, search."""

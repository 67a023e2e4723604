"""Brings gooseBit's database to its release, and makes its owner's login when there is none. FLEET_OWNER is in the environment, the password
in the unit's credential owner-password."""
import asyncio
import os
import pathlib

import goosebit.db
from aerich import Command
from goosebit.db.config import TORTOISE_CONF
from goosebit.db.models import User
from goosebit.users import create_user
from tortoise import Tortoise


async def main():
    migrations = pathlib.Path(goosebit.db.__file__).parent / "migrations"
    async with Command(tortoise_config=TORTOISE_CONF, location=str(migrations)) as command:
        await command.upgrade(run_in_transaction=True)
    await Tortoise.init(config=TORTOISE_CONF)
    if not await User.exists():
        password = pathlib.Path(os.environ["CREDENTIALS_DIRECTORY"], "owner-password").read_text().strip()
        await create_user(os.environ["FLEET_OWNER"], password, ["*"])
    await Tortoise.close_connections()


asyncio.run(main())

"""Makes gooseBit's database, and its owner's login when there is none. In the environment: FLEET_OWNER, FLEET_PASSWORD."""
import asyncio
import os

from goosebit.db.config import TORTOISE_CONF
from goosebit.db.models import User
from goosebit.users import create_user
from tortoise import Tortoise


async def main():
    await Tortoise.init(config=TORTOISE_CONF)
    await Tortoise.generate_schemas(safe=True)
    if not await User.exists():
        await create_user(os.environ["FLEET_OWNER"], os.environ["FLEET_PASSWORD"], ["*"])
    await Tortoise.close_connections()


asyncio.run(main())
